// Written by tools/view-page from the files in Page; edit those.

/// The parts of the page of `replay view`, with the hashes that its policy names.
enum PageSource {
    /// The hash of `script`, as a policy writes it.
    static let scriptHash = "sha256-6UYv81dV/hzynp31ot+tncZd2CKd6M5easlxGz8dgj8="

    /// The hash of `style`, as a policy writes it.
    static let styleHash = "sha256-wao27fzfpgESJIGsbjY9kDqtBxTOdkS1sPGhcYHrqtI="

    /// The whole script: every file in one function, so that nothing is global.
    static let script =
        "(() => {\n'use strict';\n"
        + [
            domScript, changesScript, storyScript, alternativesScript, timesScript,
            valuesScript, searchScript, commandsScript, placeScript, dialogsScript,
            frameScript, keysScript, viewScript, marksScript, lanesScript, paintScript,
            chartScript, timelineScript, gesturesScript, tableScript, eventPanelScript,
            blamePanelScript, statePanelScript, cyclePanelScript, listPanelsScript,
            alternativePanelScript, serverScript, liveScript, answersScript, whatIfScript,
            binChartScript, overviewScript, pageScript, mainScript,
        ].joined(separator: "\n") + "})();\n"

    /// The whole style.
    static let style = style1

    /// The page, with the places `/*POLICY*/`, `/*STYLE*/`, `/*STORY*/` and `/*SCRIPT*/`.
    static let template = #"""
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="/*POLICY*/">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="referrer" content="no-referrer">
        <link rel="icon" href="data:,">
        <title>replay view</title>
        <style>/*STYLE*/</style>
        </head>
        <body>
        <div id="page"><noscript>This page shows its story with a script.</noscript></div>
        <script type="application/json" id="story">/*STORY*/</script>
        <script>/*SCRIPT*/</script>
        </body>
        </html>

        """#
}
