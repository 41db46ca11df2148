import Daybook
import Testing

@testable import DaybookModel

// Holds: s4-usage-texts
/// What stands in logs: a change here needs a new version of the kind, and an upcaster.
@Suite struct PermissionStoredNamesTests {
    @Test("Kinds and fields of permissions stay as they are")
    func kindsAndFields() {
        let schema = Permission.events.map { event in
            ([event.kind.name] + event.fields.map { "  \($0.name): \($0.form)" })
                .joined(separator: "\n")
        }
        #expect(schema.joined(separator: "\n") == Self.expected)
    }

    @Test("Each part of the phone names its key of Info.plist")
    func usageKeys() {
        #expect(
            Permission.Capability.allCases.map { "\($0.name) \($0.usageKey)" } == [
                "location NSLocationWhenInUseUsageDescription",
                "microphone NSMicrophoneUsageDescription",
                "speech NSSpeechRecognitionUsageDescription",
                "photos NSPhotoLibraryUsageDescription",
                "siri NSSiriUsageDescription",
            ])
    }

    private static let expected = """
        permission.asked.v1
          deviceId: text
          part: one of location, microphone, speech, photos, siri
          usageKey: text?
        permission.answered.v1
          deviceId: text
          part: one of location, microphone, speech, photos, siri
          answer: one of notDetermined, granted, denied, restricted
        permission.speech-input-started.v1
          deviceId: text
        permission.speech-input-ended.v1
          deviceId: text
        """
}
