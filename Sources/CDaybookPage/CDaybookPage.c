#include "CDaybookPage.h"

static const char template[] = {
#embed "../DaybookView/Page/page.html" suffix(, 0)
};

static const char style[] = {
#embed "../DaybookView/Page/view.css" suffix(, 0)
};

// In the order of index.html.
static const char script[] = {
#embed "../DaybookView/Page/dom.js" suffix(, '\n',)
#embed "../DaybookView/Page/Story/changes.js" suffix(, '\n',)
#embed "../DaybookView/Page/Story/story.js" suffix(, '\n',)
#embed "../DaybookView/Page/Story/alternatives.js" suffix(, '\n',)
#embed "../DaybookView/Page/Story/times.js" suffix(, '\n',)
#embed "../DaybookView/Page/Story/values.js" suffix(, '\n',)
#embed "../DaybookView/Page/Story/search.js" suffix(, '\n',)
#embed "../DaybookView/Page/Story/commands.js" suffix(, '\n',)
#embed "../DaybookView/Page/Frame/place.js" suffix(, '\n',)
#embed "../DaybookView/Page/Frame/dialogs.js" suffix(, '\n',)
#embed "../DaybookView/Page/Frame/frame.js" suffix(, '\n',)
#embed "../DaybookView/Page/Frame/keys.js" suffix(, '\n',)
#embed "../DaybookView/Page/Frame/view.js" suffix(, '\n',)
#embed "../DaybookView/Page/Timeline/marks.js" suffix(, '\n',)
#embed "../DaybookView/Page/Timeline/lanes.js" suffix(, '\n',)
#embed "../DaybookView/Page/Timeline/paint.js" suffix(, '\n',)
#embed "../DaybookView/Page/Timeline/chart.js" suffix(, '\n',)
#embed "../DaybookView/Page/Timeline/timeline.js" suffix(, '\n',)
#embed "../DaybookView/Page/Timeline/gestures.js" suffix(, '\n',)
#embed "../DaybookView/Page/Timeline/table.js" suffix(, '\n',)
#embed "../DaybookView/Page/Panels/event-panel.js" suffix(, '\n',)
#embed "../DaybookView/Page/Panels/blame-panel.js" suffix(, '\n',)
#embed "../DaybookView/Page/Panels/state-panel.js" suffix(, '\n',)
#embed "../DaybookView/Page/Panels/cycle-panel.js" suffix(, '\n',)
#embed "../DaybookView/Page/Panels/list-panels.js" suffix(, '\n',)
#embed "../DaybookView/Page/Panels/alternative-panel.js" suffix(, '\n',)
#embed "../DaybookView/Page/Live/server.js" suffix(, '\n',)
#embed "../DaybookView/Page/Live/live.js" suffix(, '\n',)
#embed "../DaybookView/Page/Live/answers.js" suffix(, '\n',)
#embed "../DaybookView/Page/Live/what-if.js" suffix(, '\n',)
#embed "../DaybookView/Page/Live/bin-chart.js" suffix(, '\n',)
#embed "../DaybookView/Page/Live/overview.js" suffix(, '\n',)
#embed "../DaybookView/Page/page.js" suffix(, '\n',)
#embed "../DaybookView/Page/main.js" suffix(, 0)
};

const char *daybookPageTemplate(void) { return template; }

const char *daybookPageStyle(void) { return style; }

const char *daybookPageScript(void) { return script; }
