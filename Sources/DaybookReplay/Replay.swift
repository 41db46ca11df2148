import DaybookReplayProgram

/// The program `replay`.
@main
enum Replay {
    static func main() { ReplayProgram.main() }
}
