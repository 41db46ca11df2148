import EventSourcing

/// Who is signed in on a device, and the tokens that prove it.
public enum Session {}
