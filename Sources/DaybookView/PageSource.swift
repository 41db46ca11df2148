import CDaybookPage

/// The parts of the page of `replay view`, from the files in `Page`.
enum PageSource {
    /// The page, with the places `/*POLICY*/`, `/*STYLE*/`, `/*STORY*/` and `/*SCRIPT*/`.
    static let template = unsafe String(cString: daybookPageTemplate())

    /// The whole style.
    static let style = unsafe String(cString: daybookPageStyle())

    /// The whole script: every file in one function, so that nothing is global.
    static let script =
        unsafe "(() => {\n'use strict';\n" + String(cString: daybookPageScript()) + "})();\n"
}
