import type { Answer } from '../api/client.ts'
import { place } from '../api/place.ts'
import { useCall } from '../api/read.ts'
import { ClearAllButton, RemoveButton } from '../ui/action-button.tsx'
import { FormButton } from '../ui/form-button.tsx'
import { Id } from '../ui/parts.tsx'
import { ReadPanel } from '../ui/table.tsx'
import { clearFaults, removeFault } from './actions.ts'

type Fault = Answer<'faults', 'list'>['faults'][number]

export function FaultsPanel() {
  const read = useCall(['faults', 'list'], { everyMs: 2_000 })
  return (
    <ReadPanel
      title="Faults"
      aside={
        <span class="choices">
          <FormButton
            title="Add fault"
            noun="faults"
            verb="add"
            only={FIELDS}
            initial={{ routes: ['messages.send'], status: 503, times: 1 }}
            describe={({ id }: Fault) => `Added ${id}.`}
          />
          <ClearAllButton act={clearFaults()} rows={read.value?.faults} what="faults" />
        </span>
      }
      read={read}
      rows={({ faults }) => faults}
      keyOf={({ id }) => id}
      isCurrent={({ id }) => id === place.value.id}
      empty="No faults yet."
      columns={[
        { title: 'Fault', cell: ({ id, name }) => name ?? <Id of={id} />, class: 'anywhere' },
        {
          title: 'On',
          cell: ({ routes, events, to }) => (
            <>
              <code>{(routes ?? events ?? []).join(', ')}</code>
              {to && <span class="note"> to {to}</span>}
            </>
          ),
        },
        { title: 'Effect', cell: ({ does }) => does, class: 'says' },
        { title: 'Applied', number: ({ hits, seen }) => `${hits} of ${seen}` },
        { title: 'Active', cell: ({ active }) => (active ? 'yes' : 'used up') },
        {
          title: 'Remove',
          cell: ({ id }) => (
            <RemoveButton
              act={removeFault(id)}
              label={`Remove ${id}`}
              lost="The fault and its counts will be removed."
            />
          ),
        },
      ]}
    />
  )
}

/** A call with its effects, a webhook with its effects, and how often. The others are behind “More fields”. */
const FIELDS = [
  ...['routes', 'status', 'error', 'latency', 'reset', 'truncate'],
  ...['events', 'drop', 'delay', 'duplicate', 'reorder', 'bad_signature', 'lost_acknowledgement'],
  ...['to', 'times', 'share'],
]
