// Where the page begins: the story is in an element of the page, or in a script beside it.

function storyOfPage() {
    const element = document.getElementById('story');
    return element ? JSON.parse(element.textContent) : globalThis.daybookStory;
}

// Tests ask the page under this name.
try {
    globalThis.daybookPage = new Page(storyOfPage());
} catch (error) {
    fill(document.getElementById('page'), make('main', { class: 'failed' },
        make('h1', null, 'This page cannot be shown'), make('p', null, error.message)));
    throw error;
}
