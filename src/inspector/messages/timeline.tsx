import { statusAfter } from '../../words/statuses.ts'
import type { MessageAnswer } from '../api/answers.ts'
import { seenAt } from '../api/live.ts'
import { localTime } from '../api/time.ts'
import { Status } from '../ui/parts.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { between, timeOf } from '../ui/text.ts'

interface Happened {
  id: string
  event: string
  timestamp: string
}

/** Shows the world's clock, which decides, and the machine's for steps that this page saw. */
export function Timeline({
  message: { events: timeline },
  events,
}: {
  message: MessageAnswer
  events: readonly Happened[]
}) {
  const steps = timeline.map(({ type, at }, i) => ({ type, at, i, seen: seenOf(type, at, events) }))
  const isSeen = steps.some(({ seen }) => seen !== undefined)
  const yourClock: Column<(typeof steps)[number]> = {
    title: 'Your clock',
    cell: ({ seen }) => <span class={seen ? 'mono' : 'none'}>{seen ?? '–'}</span>,
  }
  return (
    <Table
      label="Steps of the message"
      rows={steps}
      keyOf={({ i }) => i}
      columns={[
        { title: 'Step', cell: ({ type }) => <Status of={statusAfter(type)} /> },
        {
          title: 'World clock',
          cell: ({ at, i }) => (
            <>
              <span title={at} class="mono">
                {timeOf(at)}
              </span>{' '}
              {i > 0 && <span class="note nowrap">{between(steps[i - 1]!.at, at)}</span>}
            </>
          ),
        },
        ...(isSeen ? [yourClock] : []),
      ]}
    />
  )
}

function seenOf(type: string, at: string, events: readonly Happened[]): string | undefined {
  const event = events.find(({ event, timestamp }) => event.endsWith(`.${type}`) && timestamp === at)
  const seen = event && seenAt.get(event.id)
  return seen === undefined ? undefined : localTime(seen)
}
