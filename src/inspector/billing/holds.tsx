import { Fragment } from 'preact'
import { fromEuros, toEuros } from '../../words/money.ts'
import type { MovementAnswer } from '../api/answers.ts'
import { call } from '../api/client.ts'
import { hrefOf } from '../api/place.ts'
import { useRead } from '../api/read.ts'
import { Loaded, Panel, RecordLink, Status } from '../ui/parts.tsx'
import { Table } from '../ui/table.tsx'
import { euros } from '../ui/text.ts'

const PAGE = 200
const LISTED = 25
/** Pages of the ledger that are read; a hold below them is part of a sum. */
const MOST_PAGES = 10
/** The statuses of a message whose hold is not settled. */
const IN_PROGRESS = ['queued', 'dispatched'] as const

/** The holds in the ledger, newest first, that no later movement of their message has settled. */
function openHoldsIn(newestFirst: readonly MovementAnswer[]): MovementAnswer[] {
  const settled = new Set<string>()
  return newestFirst.filter(({ type, message_id }) => {
    if (message_id === null || settled.has(message_id)) return false
    settled.add(message_id)
    return type === 'hold'
  })
}

const sumOf = (holds: readonly MovementAnswer[]) => holds.reduce((sum, { amount }) => sum + fromEuros(amount), 0)

/** Reads the ledger backwards until the open holds fill the list or add up to the reserved balance. */
async function readHolds() {
  const ledger: MovementAnswer[] = []
  let open: readonly MovementAnswer[] = []
  let cursor: string | null | undefined
  const reserved = () => fromEuros(ledger[0]?.reserved_after ?? 0)
  for (let pages = 0; pages < MOST_PAGES && cursor !== null; pages++) {
    const page = await call('billing', 'transactions', { limit: PAGE, ...(cursor ? { cursor } : {}) })
    ledger.push(...page.data)
    open = openHoldsIn(ledger)
    cursor = open.length >= LISTED || sumOf(open) === reserved() ? null : page.next_cursor
  }
  const listed = open.slice(0, LISTED)
  const found = await Promise.all(
    (listed.length > 0 ? IN_PROGRESS : []).map((status) => call('messages', 'search', { status, limit: PAGE })),
  )
  const messages = new Map(found.flatMap(({ messages }) => messages).map((one) => [one.id, one]))
  return {
    holds: listed.map((hold) => ({ ...hold, message: messages.get(hold.message_id!) })),
    older: toEuros(reserved() - sumOf(listed)),
  }
}

/** The messages that the reserved balance is held for. */
export function OpenHolds() {
  const read = useRead('open holds', readHolds, { when: () => false, everyMs: 2_000 })
  return (
    <Panel title="Open holds, newest first">
      <Loaded read={read}>
        {({ holds, older }) => (
          <>
            <Table
              label="Open holds"
              rows={holds}
              keyOf={({ id }) => id}
              empty="No open holds. A message holds its price until it is delivered or fails."
              columns={[
                { title: 'Since', when: ({ created_at }) => created_at },
                { title: 'Amount', number: ({ amount }) => euros(amount) },
                { title: 'Message', cell: ({ message_id }) => <RecordLink id={message_id} /> },
                { title: 'Status', cell: ({ message }) => message && <Status of={message.status} /> },
                { title: 'Recipient', cell: ({ message }) => <RecordLink id={message?.to} /> },
                { title: 'Campaign', cell: ({ message }) => <RecordLink page="campaigns" id={message?.campaign_id} /> },
              ]}
            />
            {older > 0 && (
              <p class="note">
                Older messages hold {euros(older)} more. Show all{' '}
                {IN_PROGRESS.map((status, i) => (
                  <Fragment key={status}>
                    {i > 0 && ' or '}
                    <a href={hrefOf({ page: 'messages', query: { status } })}>{status}</a>
                  </Fragment>
                ))}{' '}
                messages.
              </p>
            )}
          </>
        )}
      </Loaded>
    </Panel>
  )
}
