import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test, vi } from 'vitest'
import { giveUpReads } from '../../src/inspector/api/client.ts'
import { mayConcern, noteSeen, seenAt } from '../../src/inspector/api/live.ts'
import { type PageStart, readAgain, stillPart } from '../../src/inspector/api/paged.ts'
import { parsePlace } from '../../src/inspector/api/place.ts'
import { readerOf } from '../../src/inspector/api/read.ts'
import { fieldsOf } from '../../src/inspector/api/schema.ts'
import { problemOf } from '../../src/inspector/attempts/result.ts'
import { changeIn } from '../../src/inspector/contacts/change.ts'
import { usedReplies } from '../../src/inspector/handset/conversation.ts'
import { topAfter } from '../../src/inspector/messages/anchor.ts'
import { chunkIn, offsetFor } from '../../src/inspector/messages/chunks.ts'
import { WORK_IN_WORDS } from '../../src/inspector/time/work.ts'
import { endpointName, euros, pageOfWork } from '../../src/inspector/ui/text.ts'
import { nouns } from '../../src/registry/nouns.ts'

const WIDE = 38
const NARROW = 62

test('a selected row stays where it is when the rows of its list grow and shrink', () => {
  const row = 81
  const view = { topPx: 3000, heightPx: 700 }
  const grown = topAfter(view, WIDE, NARROW, row)
  expect(row * NARROW - grown).toBe(row * WIDE - view.topPx)
  expect(topAfter({ ...view, topPx: grown }, NARROW, WIDE, row)).toBe(view.topPx)
})

test('a selected row at the lower edge of its list is whole after the rows have grown', () => {
  const row = 97
  const top = topAfter({ topPx: 3000, heightPx: 700 }, WIDE, NARROW, row)
  expect((row + 1) * NARROW - top).toBe(700)
})

test('without a visible selected row, the first visible one stays', () => {
  expect(topAfter({ topPx: 3800, heightPx: 700 }, WIDE, NARROW, undefined)).toBe(6200)
  expect(topAfter({ topPx: 3800, heightPx: 700 }, WIDE, NARROW, 2)).toBe(6200)
  expect(topAfter({ topPx: 0, heightPx: 700 }, WIDE, NARROW, undefined)).toBe(0)
})

test.each([
  ['#/Default/messages', 'Default'],
  ['#/Bad%20Name!/billing', 'Bad Name!'],
  ['#/Bad Name!/billing', 'Bad Name!'],
])('%s names a namespace that cannot exist', (hash, name) => {
  expect(parsePlace(hash)).toMatchObject({ invalidNamespace: name })
})

test.each(['', '#/', '#/default/messages', '#/team-b'])('the address "%s" has no invalid namespace', (hash) => {
  expect(parsePlace(hash).invalidNamespace).toBeUndefined()
})

const contact = (event: string, fields: object) => ({
  event: event as 'contact.updated',
  data: { contact_id: 'c_1', status: 'ACTIVE', phone: '+49', email: null, external_id: null, ...fields },
})

test('the history of a contact says what each event changed', () => {
  const rows = [
    contact('contact.updated', {}),
    contact('contact.updated', { email: 'ada@example.com' }),
    contact('contact.updated', { status: 'BLOCKED', email: 'ada@example.com' }),
    contact('contact.updated', { contact_id: 'c_2', status: 'BOUNCED' }),
    contact('contact.created', { status: 'ACTIVE' }),
  ]
  expect(rows.map((row, i) => changeIn(row, rows.slice(i + 1)))).toEqual([
    'email: ada@example.com → none',
    'status: BLOCKED → ACTIVE',
    'status: ACTIVE → BLOCKED, email: none → ada@example.com',
    'status: BOUNCED',
    '',
  ])
  expect(changeIn(contact('contact.updated', {}), [contact('contact.updated', {})])).toBe('name, tags or custom fields')
})

test('the history of a contact names the source of a consent', () => {
  const data = { channel_type: 'RCS', message_type: 'MESSAGE', previous_status: 'REVOKED', source: 'checkout' }
  const change = (fields: object) => changeIn({ event: 'consent.updated', data: { ...data, ...fields } }, [])
  expect(change({ status: 'GRANTED' })).toBe('RCS MESSAGE: REVOKED → GRANTED, source: checkout')
  expect(change({ previous_status: 'GRANTED', status: 'REVOKED' })).toBe('RCS MESSAGE: GRANTED → REVOKED')
})

test.each([
  ['campaign.wait', 'c_00000000-0000-4000-8000-000000000051', 'contacts'],
  ['campaign.start', '00000000-0000-4000-8000-000000000102', 'campaigns'],
  ['conversation.end', 'ag_live_00000000-0000-4000-8000-000000000001 +491713920050', 'handsets'],
  ['billing.month', 'inv_00000000-0000-4000-8000-000000000001', undefined],
])('the record of %s is a link to its page', (what, subject, page) => {
  expect(pageOfWork(what, subject)).toBe(page)
})

test('money that was taken has its sign before the currency, and no line ends inside an amount', () => {
  expect(euros(-998.45)).toBe('−€\u00a0998.4500')
  expect(euros(1000)).toBe('€\u00a01,000.0000')
})

const rowsOf = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, i) => ({ id: from - i }))
const keyOf = ({ id }: { id: number }) => id

test('no row of a log moves for a reader further down, and newer ones are counted', () => {
  const shown = { rows: rowsOf(100, 51), total: 100, next: '51' }
  const fresh = { rows: [{ id: 101 }, { id: 100, status: 'delivered' }, ...rowsOf(99, 52)], total: 101, next: '52' }
  const seen = stillPart(shown, fresh, keyOf)
  expect(seen.newer).toBe(1)
  expect(seen.part.rows.map(keyOf)).toEqual(shown.rows.map(keyOf))
  expect(seen.part.rows[0]).toEqual({ id: 100, status: 'delivered' })
  expect(seen.part.next).toBe('51')
})

test('of a list with ten loaded pages only the first one and those in view are read again, unless others have changed', async () => {
  let rows = rowsOf(2_000, 1)
  const starts: number[] = []
  const byOffset = async ({ offset }: PageStart) => {
    starts.push(offset)
    return { rows: rows.slice(offset, offset + 100), total: rows.length, next: String(offset + 100) }
  }
  const byCursor = async ({ cursor = '2001' }: PageStart) => {
    const from = rows.findIndex(({ id }) => id < Number(cursor))
    starts.push(from)
    const page = from === -1 ? [] : rows.slice(from, from + 100)
    return { rows: page, next: page.length < 100 ? undefined : String(page.at(-1)!.id) }
  }
  for (const readPage of [byOffset, byCursor]) {
    rows = rowsOf(2_000, 1)
    const first = await readPage({ cursor: undefined, offset: 0 })
    let parts = [first]
    while (parts.length < 10) parts.push(await readPage({ cursor: parts.at(-1)!.next, offset: parts.length * 100 }))
    const again = async (inView: number) => {
      starts.length = 0
      parts = (await readAgain(parts, ({ id }) => id === inView, readPage as typeof byOffset, keyOf)) as typeof parts
      return parts.flatMap((part) => part.rows).map(keyOf)
    }
    expect(await again(1_550)).toEqual(rowsOf(2_000, 1_001).map(keyOf))
    expect(starts).toEqual([0, 400])
    if (readPage === byOffset) {
      rows = [...rowsOf(2_003, 2_001), ...rows]
      expect(await again(1_550)).toEqual(rowsOf(2_003, 1_001).map(keyOf))
      expect(starts).toEqual([0, 403])
    }
    // A deletion in view, and one that nobody sees until it is in view.
    rows = rows.filter(({ id }) => id !== 1_510 && id !== 1_100)
    expect(await again(1_550)).not.toContain(1_510)
    rows = rows.filter(({ id }) => id !== 1_450)
    expect(await again(1_900)).toContain(1_450)
    expect(await again(1_449)).not.toContain(1_450)
    // A restored snapshot, and a reset.
    rows = rowsOf(1_800, 1)
    expect((await again(1_550))[0]).toBe(1_800)
    rows = []
    expect(await again(1_550)).toEqual([])
  }
})

test('a full log that drops its oldest rows is read again where it is in view', async () => {
  const starts: number[] = []
  const parts = Array.from({ length: 10 }, (_, i) => {
    const from = 1_000 - 100 * i
    return { rows: rowsOf(from, from - 99), total: 1_000, next: i === 9 ? undefined : String(from - 99) }
  })
  const readPage = async ({ cursor = '1002' }: PageStart) => {
    const from = Number(cursor) - 1
    starts.push(from)
    return {
      rows: rowsOf(from, Math.max(2, from - 99)),
      total: 1_000,
      next: from < 102 ? undefined : String(from - 99),
    }
  }
  const again = await readAgain(parts, ({ id }) => id === 50, readPage, keyOf)
  expect(again.flatMap(({ rows }) => rows).map(keyOf)).toEqual(rowsOf(1_001, 2).map(keyOf))
  expect(starts).toEqual([1_001, 100])
})

test('a form that was opened on a dead connection can be opened again', async () => {
  const never = (_: string, { signal }: RequestInit) =>
    new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
  vi.stubGlobal('fetch', never)
  onTestFinished(() => void vi.unstubAllGlobals())
  const form = fieldsOf({ path: '/v1/contacts', method: 'post' })
  giveUpReads()
  await expect(form).rejects.toThrow('The sandbox does not answer.')
})

test('a chunk of a list is found in the answer, although rows come while it is read', () => {
  // Row 0 was the newest message when the reader scrolled down; the answer is made when `came` others have come.
  const answer = (row: number, newer: number, drift: number, came: number) => {
    const offset = offsetFor(row, newer, drift)
    const rows = Array.from({ length: 200 }, (_, i) => offset + i - newer - came)
    return chunkIn(rows, offset - newer - came, row, 1_000)
  }
  for (const [newer, drift, came] of [
    [0, 0, 0],
    [7, 0, 100],
    [500, 300, 260],
    [500, 300, 340],
  ] as const)
    expect(answer(300, newer, drift, came)).toEqual(Array.from({ length: 100 }, (_, i) => 300 + i))
  expect(answer(300, 0, 0, 101)).toBeUndefined()
  expect(chunkIn([900, 901], 900, 900, 902)).toEqual([900, 901])
})

test('a log that grew by more than a page counts all of them', () => {
  const shown = { rows: rowsOf(100, 51), total: 100, next: '51' }
  const fresh = { rows: rowsOf(2_100, 2_051), total: 2_100, next: '2051' }
  expect(stillPart(shown, fresh, keyOf)).toEqual({ part: shown, newer: 2_000 })
})

test('a log that a reset has emptied is shown empty', () => {
  const empty = { rows: [], total: 0, next: undefined }
  expect(stillPart({ rows: rowsOf(100, 51), total: 100, next: '51' }, empty, keyOf)).toEqual({ part: empty, newer: 0 })
})

test('a reader further down keeps no row that a restored snapshot or a filter does not have', () => {
  const shown = { rows: rowsOf(300, 201), total: 300, next: '201' }
  const older = { rows: rowsOf(150, 51), total: 150, next: '51' }
  expect(stillPart(shown, older, keyOf)).toEqual({ part: older, newer: 0 })
  const overlapping = { rows: rowsOf(250, 151), total: 250, next: '151' }
  const left = { rows: rowsOf(250, 201), total: 250, next: '201' }
  expect(stillPart(shown, overlapping, keyOf)).toEqual({ part: left, newer: 0 })
})

test('a reply uses the chips of the newest message that offered it, and of no other', () => {
  const offer = (id: string, ...texts: string[]) => ({
    ...{ id, direction: 'OUTBOUND' },
    content: { text: id, suggestions: texts.map((text) => ({ reply: { text, postback_data: 'YQ==' } })) },
  })
  const answer = (text: string) => ({ id: text, direction: 'INBOUND', content: { type: 'text', text } })
  const used = (...thread: object[]) => [...usedReplies(thread as never)]
  const [one, two] = [offer('one', 'Yes', 'No'), offer('two', 'No', 'Yes')]
  expect(used(one, two, answer('Yes'))).toEqual([['two', [1]]])
  expect(used(one, two, answer('Yes'), answer('Yes'))).toEqual([
    ['two', [1]],
    ['one', [0]],
  ])
  expect(used(one, answer('No'), two)).toEqual([['one', [1]]])
  expect(used(answer('Yes'), one, answer('Perhaps'))).toEqual([])
})

test('a page remembers when it saw the newest events, and forgets older ones', () => {
  for (let i = 0; i < 20_000; i++) noteSeen(`evt_${i}`)
  expect(seenAt.has('evt_19999')).toBe(true)
  expect(seenAt.size).toBeLessThan(10_000)
  seenAt.clear()
})

test('only events that name no other phone or mailbox may concern one', () => {
  const concerns = (data: Record<string, unknown>) => mayConcern('Ada@example.com')({ id: 'evt', event: 'any', data })
  expect([{}, { to: 'ada@EXAMPLE.com' }, { from: 'ada@example.com', to: 'ag_1' }].map(concerns)).toEqual([
    true,
    true,
    true,
  ])
  expect([{ to: 'bob@example.com' }, { with: '+491713920050' }].map(concerns)).toEqual([false, false])
})

test('an endpoint that refuses each attempt has a problem before its deliveries have failed', () => {
  const attempt = (at: string, status_code: number | null, fault: string | null = null) => ({ at, status_code, fault })
  expect(problemOf([{ attempts: [] }])).toBeUndefined()
  expect(problemOf([{ attempts: [attempt('1', null), attempt('3', 500)] }, { attempts: [attempt('2', 404)] }])).toBe(
    'HTTP 500',
  )
  expect(problemOf([{ attempts: [attempt('1', null)] }])).toBe('no answer')
  // It is not the fault of the endpoint.
  expect(problemOf([{ attempts: [attempt('1', null, 'flt_1')] }])).toBe('no answer, fault')
})

test('replies of a user are readable on both phones, light and dark', () => {
  const css = readFileSync(new URL('../../src/inspector/styles/handset.css', import.meta.url), 'utf8')
  const pairs = [...css.matchAll(/--mine: ([^;]+);\s+--on-mine: ([^;]+);/g)].flatMap(([, back, text]) =>
    [0, 1].map((scheme) => [colourOf(back!, scheme), colourOf(text!, scheme)] as const),
  )
  expect(pairs).toHaveLength(4)
  for (const [back, text] of pairs) expect(contrast(back, text), `${text} on ${back}`).toBeGreaterThanOrEqual(4.5)
})

const colourOf = (value: string, scheme: number) => {
  const colours = value.match(/#[0-9a-f]{6}/g)!
  return colours[scheme] ?? colours[0]!
}

function contrast(...colours: [string, string]): number {
  const [low, high] = colours.map(luminance).sort((a, b) => a - b)
  return (high! + 0.05) / (low! + 0.05)
}

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}

test('a draft that is kept in the tab holds no secret', async () => {
  const kept = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => kept.set(key, text),
  })
  const { keepDraft, readDraft } = await import('../../src/inspector/api/draft.ts')
  keepDraft('form', { url: 'http://localhost:3000/hook', secret: 'whsec_of-the-user' })
  expect(readDraft('form')).toEqual({ url: 'http://localhost:3000/hook' })
  vi.unstubAllGlobals()
})

test('a page reads soon after a single event, and about once a second under steady traffic', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let reads = 0
  const reader = readerOf(
    async () => reads++,
    () => {},
    () => {},
  )
  await reader.now()
  await vi.advanceTimersByTimeAsync(1_000)
  reader.soon()
  await vi.advanceTimersByTimeAsync(0)
  expect(reads).toBe(2)
  for (let event = 0; event < 1_000; event++) {
    reader.soon()
    await vi.advanceTimersByTimeAsync(10)
  }
  expect(reads).toBeGreaterThanOrEqual(10)
  expect(reads).toBeLessThanOrEqual(15)
  // After the traffic, the next event is read at once.
  await vi.advanceTimersByTimeAsync(2_000)
  const before = reads
  reader.soon()
  await vi.advanceTimersByTimeAsync(0)
  expect(reads).toBe(before + 1)
})

test('a read that hung and was given up delays no other one, and a slow one only for a few seconds', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const ends: ((failure?: Error) => void)[] = []
  const reader = readerOf(
    () => new Promise<void>((resolve, reject) => ends.push((failure) => (failure ? reject(failure) : resolve()))),
    () => {},
    () => {},
  )
  void reader.now()
  reader.soon()
  await vi.advanceTimersByTimeAsync(15_000)
  ends[0]!(new Error('given up'))
  await vi.advanceTimersByTimeAsync(0)
  expect(ends).toHaveLength(2)
  reader.soon()
  await vi.advanceTimersByTimeAsync(15_000)
  ends[1]!()
  await vi.advanceTimersByTimeAsync(4_999)
  expect(ends).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(1)
  expect(ends).toHaveLength(3)
})

test.each([
  ['http://localhost:3000/hooks/orders', '/hooks/orders at localhost:3000'],
  ['https://shop.example/?tenant=7', '/?tenant=7 at shop.example'],
  ['http://localhost:9/', 'localhost:9'],
  ['ep_1', 'ep_1'],
])('in a list of endpoints, %s is %s', (url, name) => {
  expect(endpointName(url)).toBe(name)
})

test('all scheduled work has a name in words', () => {
  const kinds = nouns.flatMap(({ localWork, networkWork }) => Object.keys({ ...localWork, ...networkWork }))
  expect(Object.keys(WORK_IN_WORDS).sort()).toEqual(kinds.sort())
})
