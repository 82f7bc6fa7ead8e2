import { spawn } from 'node:child_process'
import { namespaceOfApiKey } from '../../../words/api-key.ts'
import type { Io } from '../../process/io.ts'
import { messageIdOf } from '../../session/last-sent.ts'
import type { Session } from '../../session/session.ts'
import { callOperation } from '../../target/call-operation.ts'

export async function open(session: Session, what: string | undefined, options: Record<string, unknown>) {
  const { io, output, endpoint } = session
  // Checks that the record exists before a browser shows an empty page.
  await callOperation(session, 'world.health')
  const url = inspectorUrl(endpoint, await placeOf(session, what))
  if (!options.print) await show(url, io)
  output.data({ url }, () => url)
}

/** Finds the inspector page for an id by its form. */
async function placeOf(session: Session, what: string | undefined): Promise<string> {
  if (what === undefined) return 'messages'
  if (what.includes('@')) return `mailboxes/${encodeURIComponent(what)}`
  if (what.startsWith('+')) return `handsets/${encodeURIComponent(what)}`
  return `messages/${encodeURIComponent(await messageIdOf(what, session))}`
}

function inspectorUrl({ baseUrl, apiKey, controlToken }: Session['endpoint'], place: string): string {
  const namespace = namespaceOfApiKey(apiKey) ?? 'default'
  const token = controlToken === undefined ? '' : `?token=${encodeURIComponent(controlToken)}`
  return `${baseUrl.replace(/\/+$/, '')}/#/${namespace}/${place}${token}`
}

const OPENERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/**
 * Starts a browser without a shell, so that the address is never read as a command. A machine without a browser is not a
 * failure.
 */
async function show(url: string, { env }: Io): Promise<void> {
  const [program, ...args] = env.BROWSER ? [env.BROWSER] : (OPENERS[process.platform] ?? ['xdg-open'])
  const child = spawn(program!, [...args, url], { stdio: 'ignore', detached: true })
  await new Promise<void>((resolve) => {
    child.once('spawn', resolve)
    child.once('error', () => resolve())
  })
  child.unref()
}
