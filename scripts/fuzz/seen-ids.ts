import { exchange } from '../../src/http/exchange.ts'
import { SEEN } from './values.ts'

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

const PREFIXES: Record<string, string> = {
  ContactId: 'c_',
  MessageId: 'msg_',
  AgentId: 'ag_(?:draft|live)_',
  ConsentId: 'cr_',
  ChannelId: 'ch_',
  TemplateId: 'tpl_',
  EventId: 'evt_',
}

/** Kinds of ids without a prefix, by the path of the answer. */
const BARE: [path: RegExp, kind: string][] = [
  [/^\/v1\/webhooks/, 'WebhookId'],
  [/^\/_sandbox\/(world|campaigns)/, 'CampaignId'],
]

const MAX_KEPT = 40

/** Keeps the newest ids from the answers so far. */
export class SeenIds {
  readonly #ids = new Map<string, string[]>()

  /** Begins with the default world's carriers and with phones that deliver, read, reply, refuse and fail. */
  constructor() {
    const phones = ['00', '01', '10', '11', '20', '30', '31', '40', '42', '43', '50', '51', '60', '99']
    this.#ids.set(
      'PhoneNumber',
      phones.map((nn) => `+4917139200${nn}`),
    )
    this.#ids.set('CarrierName', ['nordfunk', 'rheinmobil', 'alpentel'])
  }

  learn(path: string, answer: string) {
    for (const [kind, prefix] of Object.entries(PREFIXES))
      for (const [id] of answer.matchAll(new RegExp(`(?<=")${prefix}${UUID}(?=")`, 'g'))) this.#add(kind, id)
    for (const [where, kind] of BARE)
      if (where.test(path))
        for (const [, id] of answer.matchAll(new RegExp(`"(?:id|campaign_id)":"(${UUID})"`, 'g'))) this.#add(kind, id!)
  }

  /** Learns the ids of the world of an emulator. */
  async learnWorld(base: string) {
    const url = new URL('/_sandbox/world', base)
    const { body } = await exchange({ method: 'GET', url, headers: {}, timeoutMs: 60_000 })
    this.learn(url.pathname, body.toString())
  }

  #add(kind: string, id: string) {
    const ids = this.#ids.get(kind) ?? []
    if (ids.includes(id)) return
    this.#ids.set(kind, [...ids, id].slice(-MAX_KEPT))
  }

  fill(text: string): string {
    return text.replace(SEEN, (_, kind: string, n: string) => {
      const ids = this.#ids.get(kind) ?? []
      return ids[Number(n) % ids.length] ?? `no ${kind} yet`
    })
  }
}
