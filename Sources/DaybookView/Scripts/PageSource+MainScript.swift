// Written by tools/view-page from the files in Page; edit those.

extension PageSource {
    /// The script `main.js`.
    static let mainScript = #"""
        // Where the page begins: the story is in an element of the page, or in a script beside it.

        async function begin() {
            const element = document.getElementById('story');
            const source = element ? JSON.parse(element.textContent) : globalThis.daybookStory;
            if (source.daybookLive === 1) await Live.begin();
            // Tests ask the page under this name.
            else globalThis.daybookPage = new Page(new Story(source), location.hash);
        }

        begin().catch((error) => {
            fill(document.getElementById('page'), make('main', { class: 'failed' },
                make('h1', null, 'This page cannot be shown'), make('p', null, error.message)));
            throw error;
        });

        """#
}
