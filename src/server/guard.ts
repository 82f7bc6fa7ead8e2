import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { CONTROL_TOKEN_HEADER } from '../words/control-token.ts'
import type { Operation } from '../words/operation.ts'
import { problem } from '../words/problem.ts'

export interface GuardOptions {
  /** Others than this machine connect, under whatever name. */
  acceptsAnyHost?: boolean | undefined
  /** The control token; without it none is demanded. */
  controlToken?: string | undefined
}

type Target = Pick<Operation, 'access'>

/** Refuses requests made by web pages of other sites. */
export interface Guard {
  checkHost(req: IncomingMessage): void
  /** Checks origin and token, which the control plane also requires. */
  checkControl(req: IncomingMessage, target: Target): void
}

const LOOPBACK = /^(localhost|[\w-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i
/** Links are made with the Host header, so nothing but a name or address and a port is accepted. */
const HOST = /^([\w-]+(\.[\w-]+)*\.?|\[[0-9a-f:.]+\])(:\d{1,5})?$/i

export function createGuard({ acceptsAnyHost = false, controlToken }: GuardOptions = {}): Guard {
  const knowsToken = controlToken === undefined ? () => true : tokenCheck(controlToken)
  return {
    // A page whose host name resolves to 127.0.0.1 (DNS rebinding) sends that name here.
    checkHost(req) {
      refuseRepeated(req)
      const { headers, httpVersion } = req
      const { host } = headers
      if (host === undefined && httpVersion === '1.1')
        throw problem('malformed_request', 'The request has no Host header, which HTTP/1.1 requires.')
      if (!(acceptsAnyHost ? HOST : LOOPBACK).test(host ?? '')) throw problem('host_not_allowed')
    },
    checkControl(req, { access }) {
      checkOrigin(req)
      // Links may be followed from any site.
      if ((access === 'link' && req.method !== 'POST') || access === 'anyone') return
      checkSite(req)
      const token = req.headers[CONTROL_TOKEN_HEADER]
      if (access !== 'link' && !knowsToken(token)) throw controlTokenProblem(token)
    },
  }
}

/** The refusal of a call of the control plane without a valid token. It is the same for all tokens that were sent. */
export const controlTokenProblem = (token: unknown) =>
  token
    ? problem('control_token_required', 'The control token (X-Sandbox-Token) is wrong, expired or revoked.')
    : problem('control_token_required')

/** Programs send no Origin; browsers do where it matters. */
function checkOrigin({ headers: { origin, host } }: IncomingMessage) {
  if (origin === undefined) return
  if (!URL.canParse(origin) || new URL(origin).host !== host) throw problem('origin_not_allowed')
}

/** A browser that sends no Origin, as for an image, says in Sec-Fetch-Site whether a page of another site asked. */
function checkSite({ headers }: IncomingMessage) {
  const site = headers['sec-fetch-site']
  const isOwn = site === undefined || site === 'same-origin' || site === 'none'
  if (!isOwn || PARTS_OF_PAGES.test(String(headers['sec-fetch-dest']))) throw problem('origin_not_allowed')
}

/** What a browser loads as a part of a page: the inspector shows emails and media, whose addresses may lead here. */
const PARTS_OF_PAGES = /^(image|audio|video|track|font|style|script|i?frame|object|embed)$/

/** Compares tokens in constant time. */
export function tokenCheck(token: string): (input: unknown) => boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer')
  const expected = digest(token)
  return (input) => typeof input === 'string' && timingSafeEqual(digest(input), expected)
}

/** Headers that decide what a request does, or for whom. */
const SINGLE: ReadonlySet<string> = new Set(['host', 'authorization', 'content-type', 'idempotency-key'])

/** Looks in the raw list, because Node silently keeps the first of several, or joins them (RFC 9112 §3.2 for Host). */
function refuseRepeated({ rawHeaders }: IncomingMessage) {
  const seen = new Set<string>()
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!
    const key = name.toLowerCase()
    if (!SINGLE.has(key)) continue
    if (seen.has(key)) throw problem('malformed_request', `The request has more than one ${name} header.`)
    seen.add(key)
  }
}

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
