import { quantity } from '../../words/number-text.ts'
import { type Answer, call } from '../api/client.ts'
import { hrefOf } from '../api/place.ts'
import { useCall, useRead } from '../api/read.ts'
import { Panel } from '../ui/parts.tsx'
import { Table } from '../ui/table.tsx'

type Refused = Answer<'logs', 'list'>['requests'][number]

/** The page of requests that shows the sends to an address. */
export const requestsTo = (to: string) => ({ page: 'requests', query: { to } })

const STATUSES = '4xx,5xx'

/** The choice of all refusals among the statuses of requests. */
export const REFUSALS = [STATUSES, 'all refusals'] as const

const SENDS = { method: 'POST', path: '/v1/messages' }

/** A link to the refused sends of all recipients, which leave no message; nothing without any. */
export function RefusedLink() {
  const read = useCall(['logs', 'list', { ...SENDS, status: STATUSES, limit: 1 } as never], {
    when: () => false,
    everyMs: 2_000,
  })
  const { total = 0 } = read.value ?? {}
  return total === 0 ? null : (
    <a href={hrefOf({ page: 'requests', query: { ...SENDS, status: STATUSES } })}>{quantity(total, 'refused sends')}</a>
  )
}

/** The newest refused requests, oldest first. Refused sends leave no message. */
const refusedSends = (filter: { to?: string; limit: number }) =>
  call('logs', 'list', { status: STATUSES, ...filter } as never)

// A refusal emits no event.
export function useRefusedSends(to: string) {
  return useRead(`refused sends to ${to}`, () => refusedSends({ to, limit: 3 }), {
    when: () => false,
    everyMs: 2_000,
  })
}

/** The addresses of refused sends that contain a text. */
export const refusedRecipients = async (part: string): Promise<string[]> => {
  const { requests } = await refusedSends({ limit: 1_000 })
  return [...new Set(requests.flatMap(({ to }) => (to?.toLowerCase().includes(part.toLowerCase()) ? [to] : [])))]
}

/** Refused sends to an address with their reasons; nothing without any. */
export function RefusedSends({ to }: { to: string }) {
  const { requests = [], total = 0 } = useRefusedSends(to).value ?? {}
  if (requests.length === 0) return null
  return (
    <Panel
      title={`${quantity(total, 'refused sends')} to ${to}, newest first`}
      aside={<a href={hrefOf(requestsTo(to))}>Show in requests</a>}
    >
      <Table
        label="Refused sends"
        rows={requests.toReversed()}
        keyOf={({ seq }) => String(seq)}
        columns={[
          { title: 'Time', when: ({ at }) => at },
          { title: 'Error', cell: errorOf, to: ({ request_id }) => ({ page: 'requests', id: request_id }) },
          { title: 'Reason', cell: ({ message }) => <bdi>{message ?? '–'}</bdi>, class: 'says' },
        ]}
      />
    </Panel>
  )
}

const errorOf = ({ status, error }: Refused) => [status, error].filter(Boolean).join(' ')
