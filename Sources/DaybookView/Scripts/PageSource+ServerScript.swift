// Written by tools/view-page from the files in Page; edit those.

extension PageSource {
    /// The script `Live/server.js`.
    static let serverScript = #"""
        // The server of a live page: every question to it, and what is said when it does not answer.

        /** An answer that is a refusal; the message is a sentence for the reader. */
        class Refusal extends Error {}

        /** Asks the server that wrote the page, with the token of the address. */
        class Server {
            constructor(token) {
                this.token = token;
                /** Takes a sentence while the server does not answer, and '' once it does again. */
                this.tell = () => {};
            }

            /**
             * The answer of a path, as JSON; with a body, it is posted. Throws a `Refusal`. A server that
             * is gone is asked again and again: nothing that can be asked changes the log.
             */
            async ask(path, body, signal) {
                for (let tries = 0; ; tries++) {
                    try {
                        const answer = await fetch(path, {
                            method: body ? 'POST' : 'GET', body: body && JSON.stringify(body), signal,
                            headers: { 'Daybook-Token': this.token },
                        });
                        const found = await answer.json().catch(() => {
                            throw new Refusal('The answer broke off before its end.');
                        });
                        if (tries > 0) this.tell('');
                        if (answer.ok) return found;
                        throw new Refusal(answer.status === 403 ? 'The server does not know this token:'
                            + ' open the address that replay view printed.' : found.error);
                    } catch (error) {
                        if (error instanceof Refusal || (signal && signal.aborted)) throw error;
                        this.tell('The server does not answer; it is asked again. If it was ended, start'
                            + ' replay view again and open its new address.');
                        await new Promise((done) => { setTimeout(done, Math.min(4e3, 250 * 2 ** tries)); });
                    }
                }
            }
        }

        """#
}
