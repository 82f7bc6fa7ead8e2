import { within } from '../http/within.ts'
import type { Sandbox } from '../library/sandbox.ts'

/** The longest look for late calls, machine ms. */
const LOOK_MS = 500

/** Namespaces of tests that have ended. A call that the application makes later creates its namespace again. */
export class EndedWorlds {
  /** The title of the test by the name of its namespace. */
  readonly #titles = new Map<string, string>()

  add(name: string, title: string) {
    this.#titles.set(name, title)
  }

  /** Deletes what late calls have left under a name that another test gets. */
  async reuse({ namespace }: Sandbox, name: string) {
    if (this.#titles.delete(name)) await namespace(name).stop()
  }

  /** A line for each namespace with late calls. Never throws. */
  async lateCalls(sandbox: Sandbox): Promise<string[]> {
    return (
      (await within(
        LOOK_MS,
        this.#read(sandbox).catch(() => []),
      )) ?? []
    )
  }

  async #read({ observer, as }: Sandbox): Promise<string[]> {
    const { namespaces } = await observer.namespaces.list()
    const ended = namespaces.filter(({ name }) => this.#titles.has(name))
    return Promise.all(
      ended.map(async ({ name }) => {
        const { requests } = await as(name).logs.list()
        const calls = [...new Set(requests.map(({ method, path }) => `${method} ${path.split('?')[0]}`))].join(', ')
        return `Calls to the namespace ${name} after the end of its test "${this.#titles.get(name)}": ${calls}. Await the calls of your application in that test.`
      }),
    )
  }
}
