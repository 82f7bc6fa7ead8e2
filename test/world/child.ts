import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { type Client, createClient } from '../../src/index.ts'
import { BIN } from '../paths.ts'

// The built version starts in a fifth of the time.

export interface Child {
  url: string
  apiKey: string
  client: Client
  stderr(): string
  /** Ends the process; resolves to its exit code, or null if the signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

interface Options {
  /** The size limit of the child's files, which simulates a full disk. */
  fileBytes?: number
}

const ULIMIT_BLOCK = 512

function spawnEmulator(data: string, { fileBytes }: Options): ChildProcess {
  const args = [BIN, 'start', '--data', data, '--port', '0', '--clock', 'frozen', '--no-rate-limit', '--json']
  if (fileBytes === undefined) return spawn(process.execPath, args)
  // Without the trap, the system would end the child; with it, the write fails as on a full disk.
  const script = `trap '' XFSZ; ulimit -f ${fileBytes / ULIMIT_BLOCK}; exec "$@"`
  return spawn('sh', ['-c', script, 'sh', process.execPath, ...args])
}

/** Starts the emulator in a separate process, as a user does. */
export async function startChild(data: string, options: Options = {}): Promise<Child> {
  const child = spawnEmulator(data, options)
  const exited = once(child, 'exit') as Promise<[number | null]>
  onTestFinished(() => void child.kill('SIGKILL'))
  let stderr = ''
  child.stderr!.on('data', (chunk) => {
    stderr += chunk
  })
  const line = await Promise.race([
    once(createInterface(child.stdout!), 'line'),
    exited.then(([code]) => Promise.reject(new Error(`exit ${code}: ${stderr}`))),
  ])
  const { url, api_key } = JSON.parse(String(line[0])) as { url: string; api_key: string }
  return {
    url,
    apiKey: api_key,
    client: createClient({ baseUrl: url, apiKey: api_key }),
    stderr: () => stderr,
    async end(signal) {
      child.kill(signal)
      return (await exited)[0]
    },
  }
}
