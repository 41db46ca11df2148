#pragma once

// The files of the page of `replay view`, as texts that end with a zero byte.

/// The HTML, with places for the rest.
const char *_Nonnull daybookPageTemplate(void);

const char *_Nonnull daybookPageStyle(void);

/// The files of script, in the order in which they run, with an empty line between them.
const char *_Nonnull daybookPageScript(void);
