import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath, pathToFileURL } from 'node:url'

const COMPILER = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))

interface Answer {
  id?: number
  method?: string
  params?: { items?: unknown[] }
  result?: unknown
}

/** TypeScript's language server, used as editors use it. */
export class Editor implements AsyncDisposable {
  readonly #server: ChildProcess = spawn(process.execPath, [COMPILER, '--lsp', '--stdio'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  readonly pending = new Map<number, (answer: Answer) => void>()
  #rest = Buffer.alloc(0)

  static async open(folder: string): Promise<Editor> {
    const editor = new Editor()
    editor.#server.stdout!.on('data', (bytes: Buffer) => editor.#read(bytes))
    await editor.#ask('initialize', {
      processId: process.pid,
      rootUri: pathToFileURL(folder).href,
      capabilities: { textDocument: { hover: { contentFormat: ['markdown'] }, diagnostic: {} } },
    })
    editor.#tell({ method: 'initialized', params: {} })
    return editor
  }

  show(file: string, text: string) {
    const textDocument = { uri: pathToFileURL(file).href, languageId: 'typescript', version: 1, text }
    this.#tell({ method: 'textDocument/didOpen', params: { textDocument } })
  }

  /** The underlined texts. */
  async errors(file: string): Promise<string[]> {
    const { result } = await this.#ask('textDocument/diagnostic', { textDocument: { uri: pathToFileURL(file).href } })
    return (result as { items: { message: string }[] }).items.map(({ message }) => message)
  }

  /** The text that hovering over a position shows below the type; positions count from 0. */
  async hover(file: string, line: number, character: number): Promise<string> {
    const textDocument = { uri: pathToFileURL(file).href }
    const { result } = await this.#ask('textDocument/hover', { textDocument, position: { line, character } })
    const { value } = (result as { contents: { value: string } }).contents
    return value.slice(value.lastIndexOf('```') + 3).trim()
  }

  async [Symbol.asyncDispose]() {
    const ended = new Promise((resolve) => this.#server.once('exit', resolve))
    this.#server.kill()
    await ended
  }

  #ask(method: string, params: object): Promise<Answer> {
    const id = this.pending.size + 1
    return new Promise((resolve) => {
      this.pending.set(id, resolve)
      this.#tell({ id, method, params })
    })
  }

  #tell(message: object) {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message })
    this.#server.stdin!.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
  }

  #read(bytes: Buffer) {
    this.#rest = Buffer.concat([this.#rest, bytes])
    for (;;) {
      const head = this.#rest.indexOf('\r\n\r\n')
      if (head < 0) return
      const length = Number(/Content-Length: (\d+)/i.exec(this.#rest.subarray(0, head).toString())![1])
      const end = head + 4 + length
      if (this.#rest.length < end) return
      this.#take(JSON.parse(this.#rest.subarray(head + 4, end).toString()) as Answer)
      this.#rest = this.#rest.subarray(end)
    }
  }

  #take(message: Answer) {
    const { id, method, params } = message
    if (method === undefined) this.pending.get(id!)!(message)
    // It requests settings. None exist.
    else if (id !== undefined) this.#tell({ id, result: params?.items?.map(() => null) ?? null })
  }
}
