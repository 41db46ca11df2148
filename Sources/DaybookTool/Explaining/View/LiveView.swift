import Daybook
import DaybookInvestigation
import DaybookLibC
import DaybookLog
import DaybookServer
import DaybookView

/// The server of the command `view`, from its start until a signal ends it.
struct LiveView {
    private let command: ViewCommand

    init(_ command: ViewCommand) { self.command = command }

    /// Serves the page of a log until SIGINT, SIGTERM or SIGHUP.
    func run(_ log: EventLog, _ catalogue: Catalogue) throws -> Never {
        // Threads that start later block the signals too, so that only this one receives them.
        var signals = Self.endingSignals
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        let zones = try ZoneOptions.optionalSource(command.moment.zones.tzdata)
        let bins = LogBins(log, values: command.values(of: log, catalogue, zones))
        let page = try page(log, catalogue, bins, zones)
        let file = AddressFile()
        let server: Server
        do throws(ServerError) {
            server = try Server { request, isGone in
                // Any other path is answered for the token only, which the browser then has.
                if request.path != "/" { file.remove() }
                return page.respond(to: request, isGone)
            }
        } catch { throw Failure(.usage, "the page cannot be served: \(error)") }
        bins.start()
        let address = "http://127.0.0.1:\(server.port)/#token=\(server.access.token)"
        Output.line(address)
        Output.flush()
        StandardError.message("serving the page until Ctrl-C; whoever has the address can read it")
        if command.open { Self.openBrowser(by: file, address) }
        var number: Int32 = 0
        unsafe sigwait(&signals, &number)
        file.remove()
        server.stop()
        bins.stop()
        endProcess(0)
    }

    private static var endingSignals: sigset_t {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        for number in [SIGINT, SIGTERM, SIGHUP] { unsafe sigaddset(&signals, number) }
        return signals
    }

    private func page(
        _ log: EventLog, _ catalogue: Catalogue, _ bins: LogBins, _ source: ZoneSource?
    ) throws -> LivePage {
        var environment = ["DAYBOOK_LOG": try command.log.path()]
        environment[LogOptions.headVariable] = command.log.namedHeadFile
        if command.log.givenKeys != nil {
            environment[StoreKeyVariables.file] = command.log.keyFile ?? ""
            environment[StoreKeyVariables.command] = command.log.keyCommand ?? ""
        }
        let children = PageChildren(try ChildProcess.ownPath(), environment: environment)
        let isOwnFolder = command.moment.zones.tzdata != ZoneOptions.standardFolder
        let zones = isOwnFolder ? ["--tzdata", command.moment.zones.tzdata] : []
        var options = command.log.log.map { ["--log", $0] } ?? []
        if command.texts { options.append("--texts") }
        if command.pseudonymise { options.append("--pseudonymise") }
        // The page sends the words back, so that they must not be hidden here.
        let exact = ViewWords(command, ShownValues(.texts, of: log, catalogue) { _ in false })
        let shown = ViewWords(command, command.values(of: log, catalogue, nil))
        return LivePage(
            log: log, catalogue: catalogue, bins: bins, children: children, words: exact.storyWords,
            logOption: shown.logOption, privacy: command.privacy, storyOptions: options + zones,
            questionOptions: zones, zones: source, page: StoryPage.shared.live)
    }

    /// Opens an address in the browser, which outlives this process, by way of a file.
    private static func openBrowser(by file: AddressFile, _ address: String) {
        #if canImport(Darwin)
            let program = "open"
        #else
            let program = "xdg-open"
        #endif
        Threads.detach {
            do {
                let process = try ChildProcess.spawn(
                    [program, try file.write(address)], environment: [:], input: .discarded,
                    output: .discarded, errors: .discarded, isSearched: true, hasOwnGroup: true)
                guard ChildProcess.exitCode(of: process) != 0 else { return }
                StandardError.message("\(program) opened no browser; open the address yourself")
            } catch let failure as Failure {
                StandardError.message("\(failure.message); open the address yourself")
            } catch { StandardError.message("\(program): \(error); open the address yourself") }
        }
    }
}
