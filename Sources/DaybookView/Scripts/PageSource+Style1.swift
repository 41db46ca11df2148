// Written by tools/view-page from the files in Page; edit those.

extension PageSource {
    /// Part 1 of the style `view.css`.
    static let style1 = #"""
        /* The look of the page: one accent colour, a grid of 8 pixels, light and dark. */

        :root {
            color-scheme: light dark; --background: light-dark(#ffffff, #15181d);
            --panel: light-dark(#f7f8fa, #1b1f26); --raised: light-dark(#ffffff, #20252d);
            --line: light-dark(#e3e6eb, #2d333d); --edge: light-dark(#8b93a1, #798394);
            --text: light-dark(#1a1d23, #e6e9ee); --muted: light-dark(#5a6270, #a3abb8);
            --accent: light-dark(#2457c5, #8cb0ff); --accent-soft: light-dark(#e8eefb, #24324d);
            --changed: light-dark(#fff4d6, #3a3218); --bad: light-dark(#b3261e, #ff9d92);
            --bad-soft: light-dark(#fce8e6, #46231f); --warn: light-dark(#8a5300, #f0b866);
            --warn-soft: light-dark(#fdefd8, #402f17);
            --mono: ui-monospace, 'SF Mono', 'Cascadia Mono', 'DejaVu Sans Mono', Menlo, monospace;
        }

        :root[data-theme='light'] { color-scheme: light; }
        :root[data-theme='dark'] { color-scheme: dark; }
        * { box-sizing: border-box; }
        [hidden] { display: none !important; }
        html, body { height: 100%; margin: 0; }

        body {
            background: var(--background); color: var(--text);
            font: 13px/20px system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif;
        }

        h1, h2, h3, p, dl, dd, ol, ul { margin: 0; padding: 0; }
        h1, h2, h3 { font-size: 13px; font-weight: 600; }
        .muted { color: var(--muted); font-weight: 400; }

        .aside {
            position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
            white-space: nowrap;
        }

        .clip { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }

        /* Controls */

        button, input, select { font: inherit; color: inherit; }

        button, select, input[type='search'], input[type='text'] {
            min-height: 24px; padding: 1px 8px; border: 1px solid var(--line); border-radius: 4px;
            background: var(--raised);
        }

        button { cursor: pointer; }
        button:hover { border-color: var(--edge); }
        :focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
        button.quiet, button.link, button.value-button { border-color: transparent; background: none; }
        button.quiet { padding: 1px 6px; color: var(--muted); }
        button.quiet:hover { border-color: var(--line); color: var(--text); }

        button.link {
            max-width: 100%; min-height: 24px; padding: 0 2px; overflow: hidden; color: var(--accent);
            text-overflow: ellipsis; white-space: nowrap; font-variant-numeric: tabular-nums;
        }

        button.link:hover { border-color: transparent; text-decoration: underline; }

        button.tag {
            max-width: 100%; min-height: 24px; margin: 0 4px 2px 0; padding: 0 6px; overflow: hidden;
            text-overflow: ellipsis; white-space: nowrap;
        }

        .badge, .count {
            padding: 0 6px; border-radius: 4px; background: var(--accent-soft); color: var(--text);
            font-size: 11px; line-height: 16px; font-weight: 400; white-space: nowrap;
        }

        .badge.bad { background: var(--bad-soft); color: var(--bad); font-weight: 600; }
        .badge.warn { background: var(--warn-soft); color: var(--warn); }
        .command { display: flex; align-items: center; gap: 4px; min-width: 0; }

        .command code {
            flex: 0 1 auto; min-width: 0; overflow: hidden; color: var(--muted);
            font: 12px/20px var(--mono); text-overflow: ellipsis; white-space: nowrap;
        }

        .command code::before { content: '$ '; }
        .command button { flex: none; font-size: 12px; }

        /* Frame */

        #page { display: grid; grid-template-rows: auto auto minmax(0, 1fr) auto; height: 100%; }

        .top {
            display: flex; align-items: center; gap: 8px; min-width: 0; padding: 8px 16px;
        }

        .top .title { flex: 1 1 auto; min-width: 0; }
        .top h1, .top p { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
        .top h1 { font-size: 16px; line-height: 20px; }
        .top p { font-size: 12px; line-height: 16px; }
        .top input { width: 224px; min-width: 80px; }

        .bar {
            display: flex; align-items: center; gap: 8px; padding: 4px 16px 8px;
            border-bottom: 1px solid var(--line);
        }

        .bar button { min-width: 32px; font-size: 16px; line-height: 20px; }

        .bar input {
            flex: 1 1 auto; min-width: 80px; height: 24px; margin: 0; accent-color: var(--accent);
        }

        .bar .moment {
            flex: none; min-width: 272px; font-variant-numeric: tabular-nums; text-align: right;
            white-space: nowrap;
        }

        main { display: grid; grid-template-columns: minmax(0, 1fr) 464px; min-height: 0; }

        .left {
            display: grid; grid-template-rows: auto minmax(176px, 1fr) auto minmax(120px, 1fr);
            min-width: 0; min-height: 0;
        }

        .right {
            display: grid; grid-template-rows: minmax(0, auto) auto minmax(0, 1fr); min-width: 0;
            min-height: 0; border-left: 1px solid var(--line); background: var(--panel);
        }

        .options {
            display: flex; flex-wrap: wrap; align-items: center; gap: 4px 12px; padding: 6px 16px;
        }

        .options .spring { flex: 1; margin-right: -12px; }
        .options > button { min-width: 28px; margin-left: -8px; }
        .choice { display: flex; align-items: center; gap: 6px; color: var(--muted); }
        .choice select { max-width: 160px; padding: 1px 4px; color: var(--text); }
        .choice input { width: 16px; height: 16px; margin: 0; accent-color: var(--accent); }

        .bottom {
            display: flex; flex-wrap: wrap; align-items: center; gap: 0 24px; min-width: 0;
            padding: 4px 16px; border-top: 1px solid var(--line); font-size: 12px;
        }

        .facts-line { display: flex; flex-wrap: wrap; gap: 0 16px; margin-left: auto; }

        /* What changes with the moment does not move the rest. */
        .timeline, .table, .event, .panel { contain: content; }

        /* Timeline */

        .timeline {
            display: grid; grid-template-columns: 176px minmax(0, 1fr); min-height: 0; overflow: hidden;
            border-top: 1px solid var(--line); border-bottom: 1px solid var(--line);
        }

        .lane-labels { position: relative; overflow: hidden; border-right: 1px solid var(--line); }

        .lane-label {
            position: absolute; left: 0; width: 100%; min-height: 0; padding: 0 8px 0 16px;
            overflow: hidden; border: 0; border-radius: 0; background: none; color: var(--muted);
            font-size: 12px; text-align: left; text-overflow: ellipsis; white-space: nowrap;
        }

        button.lane-label { color: var(--text); }
        button.lane-label:hover { background: var(--panel); }
        .lane-label:focus-visible { outline-offset: -2px; }
        .lane-label.chosen { background: var(--accent-soft); font-weight: 600; }

        .surface {
            position: relative; overflow: hidden; cursor: default; touch-action: pan-y;
            user-select: none;
        }

        .surface:focus-visible { outline-offset: -2px; }
        .layer { position: absolute; inset: 0; pointer-events: none; }

        .tip {
            position: absolute; z-index: 1; display: grid; width: 296px; padding: 6px 8px;
            border: 1px solid var(--edge); border-radius: 4px; background: var(--raised);
            font-size: 12px; line-height: 16px; pointer-events: none;
        }

        .tip * { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
        .mark { flex: none; width: 12px; height: 12px; fill: currentColor; }

        .legend {
            display: flex; flex-wrap: wrap; gap: 4px; max-height: 72px; padding: 8px 16px;
            overflow-y: auto;
        }

        .kind-choice {
            display: inline-flex; align-items: center; gap: 4px; padding: 0 6px;
            max-width: 288px; border-color: transparent; background: none; font-size: 12px;
        }

        .kind-choice span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
        .kind-choice .count { flex: none; }

        .kind-choice .count { padding: 0; background: none; color: var(--muted); }
        .kind-choice[aria-pressed='false'] { color: var(--muted); text-decoration: line-through; }
        .kind-choice[aria-pressed='false'] .mark { opacity: 0.35; }

        /* The table of events */

        .table { overflow: auto; min-height: 0; border-top: 1px solid var(--line); }
        .table:focus-visible { outline-offset: -2px; }

        .events {
            width: 100%; border-collapse: collapse; table-layout: fixed;
            font-variant-numeric: tabular-nums;
        }

        .events th {
            position: sticky; top: 0; z-index: 1; height: 28px; padding: 0 8px;
            background: var(--background); box-shadow: inset 0 -1px var(--line); color: var(--muted);
            font-size: 12px; font-weight: 400; text-align: left;
        }

        .events th:nth-child(1) { width: 88px; padding-left: 16px; }
        .events th:nth-child(2) { width: 224px; }
        .events th:nth-child(3) { width: 22%; }
        .events th:nth-child(5) { width: 16%; }

        .events td {
            height: 28px; padding: 0 8px; overflow: hidden; text-overflow: ellipsis;
            white-space: nowrap;
        }

        .events .gap td { height: auto; padding: 0; }
        .events td.number { padding-left: 14px; }
        .events td.late { color: var(--warn); }
        .events td.who { color: var(--muted); }
        .events tr:not(.gap) { cursor: pointer; }
        .events tbody tr:not(.gap):hover { background: var(--panel); }
        .events tr.pale td { color: var(--muted); }
        .events tr.match td.number { box-shadow: inset 3px 0 var(--accent); }
        .events tr.here td { background: var(--accent-soft); }
        .mark-place { display: inline-block; width: 18px; vertical-align: -2px; line-height: 12px; }

        /* The event of the moment */

        .event { max-height: 40vh; padding: 12px 16px; overflow: auto; }

        .event-title {
            display: flex; align-items: center; gap: 8px; margin-bottom: 4px; font-size: 14px;
        }

        .event-title span { min-width: 0; overflow-wrap: anywhere; }
        .event-title .position {
            flex: none;
            margin-left: auto; color: var(--muted); font-weight: 400;
            font-variant-numeric: tabular-nums;
        }

        .facts { display: grid; grid-template-columns: 88px minmax(0, 1fr); gap: 0 8px; }
        .facts dt { overflow: hidden; color: var(--muted); text-overflow: ellipsis; }
        .facts dd { min-width: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
        .facts dd .badge { margin-left: 8px; }
        .mono { font: 12px/20px var(--mono); }
        details { margin: 4px 0; }
        summary { width: max-content; color: var(--muted); cursor: pointer; }
        .payload .facts { grid-template-columns: 136px minmax(0, 1fr); padding-left: 12px; }

        /* Panels */

        .tabs {
            display: flex; padding: 0 10px; overflow-x: auto;
            border-top: 1px solid var(--line); border-bottom: 1px solid var(--line);
        }

        .tabs button {
            flex: none; padding: 6px 6px 4px; border: 0; border-bottom: 2px solid transparent;
            border-radius: 0; background: none; color: var(--muted);
        }

        .tabs button:focus-visible { outline-offset: -2px; }

        .tabs button[aria-selected='true'] {
            border-color: var(--accent); color: var(--text); font-weight: 600;
        }

        .tabs .count { margin-left: 4px; }

        .panel {
            display: grid; align-content: start; gap: 8px; padding: 12px 16px; overflow: auto;
        }

        .panel:focus-visible { outline-offset: -2px; }
        .panel > * { min-width: 0; }

        .card {
            padding: 8px 12px; border: 1px solid var(--line); border-radius: 6px;
            background: var(--background);
        }

        .card.pinned { border-color: var(--edge); }
        .card.blame { border-color: var(--accent); }

        .card-head {
            display: flex; align-items: center; gap: 8px; min-height: 24px; margin-bottom: 4px;
        }

        .card-head h2, .card-head h3 { flex: 1 1 auto; min-width: 0; overflow-wrap: anywhere; }
        .card-head .badge, .card-head button, .card-head .muted { flex: none; }
        .card-head h3 .muted { flex: initial; }
        .card .command { margin-top: 4px; }
        .fields {
            width: calc(100% + 8px); margin: 0 -4px; border-collapse: collapse; table-layout: fixed;
        }

        .fields th, .fields td {
            padding: 1px 4px; vertical-align: top; text-align: left; overflow-wrap: anywhere;
        }

        .fields th {
            width: 34%; padding: 3px 8px 1px 4px; color: var(--muted); font: 12px/20px var(--mono);
        }

        .fields thead th { font: 12px/20px system-ui, sans-serif; }
        .fields .changed { background: var(--changed); }
        .fields .changed th { color: var(--text); }
        .fields .chosen th { color: var(--accent); font-weight: 700; }
        .versus th { width: 34%; }
        .versus .other { background: var(--accent-soft); padding-top: 3px; }
        .value-button { width: 100%; padding: 1px 4px; text-align: left; overflow-wrap: anywhere; }
        .value-button:hover { background: var(--accent-soft); }
        .value { font: 12px/20px var(--mono); overflow-wrap: anywhere; white-space: pre-wrap; }
        .value.word { color: var(--muted); }
        .value.number { white-space: nowrap; }
        .change .before .value { color: var(--muted); text-decoration: line-through; }
        .change .arrow { margin: 0 6px; color: var(--muted); }
        .change .note { margin-left: 8px; color: var(--muted); font-size: 12px; }
        .writes { list-style: none; border-left: 1px solid var(--line); }
        .writes li { position: relative; padding: 2px 0 2px 12px; }

        .writes .link { margin-left: -3px; }
        .writes li::before {
            content: ''; position: absolute; top: 11px; left: -4px; width: 7px; height: 7px;
            border-radius: 4px; background: var(--edge);
        }

        .writes li.writer::before { background: var(--accent); outline: 3px solid var(--accent-soft); }
        .writes li.later .change { opacity: 0.75; }

        .write-head {
            display: flex; flex-wrap: wrap; align-items: center; gap: 0 8px; min-width: 0;
        }

        .picture { display: block; width: 100%; height: 48px; margin-bottom: 8px; }

        .picture .steps {
            fill: none; stroke: var(--text); stroke-width: 1.25; vector-effect: non-scaling-stroke;
        }

        .picture .now { stroke: var(--accent); stroke-width: 1.5; vector-effect: non-scaling-stroke; }
        .list, .plain { list-style: none; }
        .list > li { padding: 8px; border-bottom: 1px solid var(--line); }
        .list.dense > li { padding: 2px 8px; }
        .list > li.here { background: var(--accent-soft); }
        .plain li { display: flex; align-items: center; gap: 8px; min-width: 0; }

        /* Life cycles */

        .cycle {
            display: block; width: 100%; max-width: 400px; margin: 0 auto; font-size: 12px;
        }

        .cycle rect { fill: var(--background); stroke: var(--edge); }
        .cycle text { fill: var(--text); }
        .cycle .present rect { fill: var(--accent); stroke: var(--accent); }
        .cycle .present text { fill: var(--background); font-weight: 600; }
        .cycle .step path { fill: none; stroke: var(--edge); }
        .cycle .step .head { fill: var(--edge); stroke: none; }
        .cycle .untaken path { stroke-dasharray: 2 3; opacity: 0.7; }
        .cycle .taken path { stroke: var(--text); stroke-width: 1.25; }
        .cycle .taken .head { fill: var(--text); }
        .cycle .stray path { stroke: var(--bad); }
        .cycle .last path { stroke: var(--accent); stroke-width: 2.5; }
        .cycle .last .head { fill: var(--accent); }
        .cycle .count rect { stroke: none; }
        .cycle .count.last text { fill: var(--accent); font-weight: 700; }
        table.steps { width: 100%; border-collapse: collapse; }
        table.steps th { color: var(--muted); font-weight: 400; text-align: left; }


        """#
}
