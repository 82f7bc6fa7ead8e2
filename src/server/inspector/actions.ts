import { readFile } from 'node:fs/promises'
import { problem } from '../../words/problem.ts'
import { Reply } from '../../words/reply.ts'
import { VERSION } from '../../words/version.ts'
import { packaged } from '../../world/file/packaged.ts'
import type { AsyncAction } from '../../world/noun.ts'
import type { loadInspectorFile, openInspector } from './contract.ts'

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

/** Serves the page to browsers; programs and curl get directions instead. */
export const open: AsyncAction<typeof openInspector> = async (_, { query, caller }) =>
  /\btext\/html\b/.test(caller.accept ?? '')
    ? fileReply('index.html', query.media === 'allow')
    : signpost(caller.baseUrl)

function signpost(baseUrl: string): Reply {
  const at = (path: string) => `${baseUrl}${path}`
  const signs = {
    name: 'messaging-sandbox',
    version: VERSION,
    api: at('/v1'),
    docs: at('/docs'),
    openapi: at('/openapi.json'),
    control: { docs: at('/_sandbox/docs'), openapi: at('/_sandbox/openapi.json') },
    health: at('/_sandbox/health'),
    world: at('/_sandbox/world'),
    events: at('/_sandbox/events'),
    inspector: at('/'),
  }
  return new Reply(`${JSON.stringify(signs, null, 2)}\n`, {
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
  })
}

export const load: AsyncAction<typeof loadInspectorFile> = (_, { params, query }) =>
  fileReply(params.file, query.media === 'allow')

async function fileReply(name: string, allowsMedia: boolean): Promise<Reply> {
  const type = /^[a-z]+\.([a-z]+)$/.exec(name)?.[1]
  const bytes = type && TYPES[type] && (await read(name))
  if (!bytes) throw problem('not_found', `The inspector has no file ${name}.`)
  const policy = policyOf(name, allowsMedia)
  return new Reply(bytes, {
    headers: {
      'Content-Type': TYPES[type]!,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
      ...(policy ? { 'Content-Security-Policy': policy } : {}),
    },
  })
}

/** Reads a file with each request. Nothing is cached, so a server without visitors holds none of it in memory. */
const read = async (name: string): Promise<Buffer | undefined> =>
  (await packaged(`inspector/${name}`)) ??
  (await readFile(new URL(`../../../dist/inspector/${name}`, import.meta.url)).catch(() => undefined))

/** Allows a page of the inspector to load and run what this server has, and nothing else. */
const OWN = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
}

type Policy = Readonly<Record<string, string>>

const POLICIES: Readonly<Record<string, Policy>> = {
  'index.html': { ...OWN, 'frame-src': "'self'", 'frame-ancestors': "'none'" },
  // Emails have inline styles. Their frame runs no scripts and cannot navigate.
  'mail.html': { ...OWN, 'style-src': "'self' 'unsafe-inline'", 'frame-src': 'blob:', 'frame-ancestors': "'self'" },
}

/** Returns the Content-Security-Policy of a page; undefined for other files. */
function policyOf(file: string, allowsMedia: boolean): string | undefined {
  const policy = POLICIES[file]
  if (!policy) return undefined
  const media: Policy = allowsMedia ? { 'img-src': "'self' data: http: https:", 'media-src': 'http: https:' } : {}
  return Object.entries({ ...policy, ...media })
    .map(([name, value]) => `${name} ${value}`)
    .join('; ')
}
