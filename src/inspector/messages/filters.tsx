import { useState } from 'preact/hooks'
import { MESSAGE_STATUSES, MESSAGE_TYPES } from '../../words/statuses.ts'
import type { Answer } from '../api/client.ts'
import { go } from '../api/place.ts'
import { useCall } from '../api/read.ts'
import { type QueryFilter, QueryFilters, Search, setFilter } from '../ui/fields.tsx'

type Query = Readonly<Record<string, string>>
type Option = readonly [value: string, title: string]

/** Filters with a chip for each value. */
const CHIPS: readonly { name: string; label: string; values: readonly string[] }[] = [
  { name: 'direction', label: 'Direction', values: ['OUTBOUND', 'INBOUND'] },
  { name: 'channel', label: 'Channel', values: ['RCS', 'EMAIL'] },
  { name: 'status', label: 'Status', values: MESSAGE_STATUSES.filter((status) => status !== 'received') },
]
/** Values with a title of their own. */
const TITLES: Query = { OUTBOUND: 'Sent', INBOUND: 'Received', EMAIL: 'Email' }

/** Filters of the search, kept in the address so that a list can be shared. */
export function Filters({ query }: { query: Query }) {
  const { value: world } = useCall(['world', 'show'], { when: () => false })
  const isNarrow = Object.keys(query).length > 0
  const [isOpen, setOpen] = useState([...moreOf(undefined), ...TYPED].some(({ name }) => query[name]))
  return (
    <search>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <Search
          placeholder="Text, subject, recipient or id"
          value={query.text ?? ''}
          set={(text) => setFilter('text', text, true)}
        />
        <button type="button" class="button quiet small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Fewer filters' : 'More filters'}
        </button>
        {isNarrow && (
          <button type="button" class="button quiet small" onClick={() => go({ query: {} })}>
            Clear filters
          </button>
        )}
        <div class="chip-groups">
          {CHIPS.map(({ name, label, values }) => (
            <fieldset key={name} class="chips-line" aria-label={label}>
              {values.map((value) => (
                <button
                  key={value}
                  type="button"
                  class="filter-chip"
                  aria-pressed={query[name] === value}
                  onClick={() => setFilter(name, query[name] === value ? '' : value, false)}
                >
                  {TITLES[value] ?? value}
                </button>
              ))}
            </fieldset>
          ))}
        </div>
        {isOpen && <QueryFilters of={[...moreOf(world), ...TYPED]} query={query} />}
      </form>
    </search>
  )
}

const TYPED: readonly QueryFilter[] = [
  { name: 'to', label: 'Recipient', placeholder: '+49… or address' },
  { name: 'contact_id', label: 'Contact', placeholder: 'c_…' },
  { name: 'created_from', label: 'Created from (UTC)', isInstant: true },
  { name: 'created_to', label: 'Created before (UTC)', isInstant: true },
]

const moreOf = (world: Answer<'world', 'show'> | undefined): QueryFilter[] => [
  { name: 'message_type', label: 'Type', options: MESSAGE_TYPES },
  { name: 'agent_id', label: 'Agent', options: named(world?.agents, 'agent_id', 'display_name') },
  {
    name: 'channel_id',
    label: 'Email channel',
    options: named(
      world?.channels.filter(({ type }) => type === 'EMAIL'),
      'channel_id',
      'name',
    ),
  },
  { name: 'campaign_id', label: 'Campaign', options: named(world?.campaigns, 'campaign_id', 'name') },
]

const named = (items: readonly Record<string, unknown>[] | undefined, id: string, name: string): Option[] =>
  (items ?? []).map((item) => [String(item[id]), String(item[name] ?? item[id])])
