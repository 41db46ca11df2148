public import Daybook

/// The list of all areas of the model. A new area needs one folder and one line here.
public enum Catalog {
    /// All areas, in alphabetical order.
    public static let areas: [any Area.Type] = [
        Account.self,
        Assistant.self,
        BabyCare.self,
        Chat.self,
        Household.self,
        Launch.self,
        OfflineQueue.self,
        Permission.self,
        Photo.self,
        Running.self,
        Session.self,
        Shop.self,
    ]
}
