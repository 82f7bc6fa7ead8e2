import { useEffect, useState } from 'preact/hooks'
import { MESSAGE_STATUSES } from '../../words/statuses.ts'
import { call } from '../api/client.ts'
import { go } from '../api/place.ts'
import { useRead } from '../api/read.ts'
import { later } from '../api/time.ts'
import { Field } from '../ui/fields.tsx'

type Query = Readonly<Record<string, string>>
type Setter = (name: string, value: string) => void
type Option = readonly [value: string, title: string]

/** Filters with a chip for each value. */
const CHIPS: readonly { name: string; label: string; options: readonly Option[] }[] = [
  {
    name: 'direction',
    label: 'Direction',
    options: [
      ['OUTBOUND', 'Sent'],
      ['INBOUND', 'Received'],
    ],
  },
  {
    name: 'channel',
    label: 'Channel',
    options: [
      ['RCS', 'RCS'],
      ['EMAIL', 'Email'],
    ],
  },
  {
    name: 'status',
    label: 'Status',
    options: MESSAGE_STATUSES.filter((status) => status !== 'received').map((status) => [status, status] as const),
  },
]

/** Filters of the search, kept in the address so that a list can be shared. */
export function Filters({ query }: { query: Query }) {
  const { value: world } = useRead('world of filters', () => call('world', 'show'), { when: () => false })
  const set: Setter = (name, value) => go({ query: { ...query, [name]: value } }, { replace: true })
  const isNarrow = Object.keys(query).length > 0
  const [isOpen, setOpen] = useState(MORE.some((name) => query[name]))
  return (
    <search>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <Search
          label="Search"
          placeholder="Text, subject, recipient or id   /"
          value={query.text ?? ''}
          set={(text) => set('text', text)}
        />
        {CHIPS.map(({ name, label, options }) => (
          <fieldset key={name} class="chips-line" aria-label={label}>
            {options.map(([value, title]) => (
              <button
                key={value}
                type="button"
                class="filter-chip"
                aria-pressed={query[name] === value}
                onClick={() => set(name, query[name] === value ? '' : value)}
              >
                {title}
              </button>
            ))}
          </fieldset>
        ))}
        <button type="button" class="button quiet small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Fewer filters' : 'More filters'}
        </button>
        {isNarrow && (
          <button type="button" class="button quiet small" onClick={() => go({ query: {} }, { replace: true })}>
            Clear filters
          </button>
        )}
        {isOpen && (
          <div class="filters more-filters">
            <Choice {...{ query, set }} label="Type" name="message_type" options={TYPES} />
            <Choice
              {...{ query, set }}
              label="Agent"
              name="agent_id"
              options={named(world?.agents, 'agent_id', 'display_name')}
            />
            <Choice
              {...{ query, set }}
              label="Email channel"
              name="channel_id"
              options={named(world?.channels, 'channel_id', 'name')}
            />
            <Choice
              {...{ query, set }}
              label="Campaign"
              name="campaign_id"
              options={named(world?.campaigns, 'campaign_id', 'name')}
            />
            <Typed {...{ query, set }} label="Recipient" name="to" placeholder="+49… or address" />
            <Typed {...{ query, set }} label="Contact" name="contact_id" placeholder="c_…" />
            <Instant {...{ query, set }} label="Created from (UTC)" name="created_from" />
            <Instant {...{ query, set }} label="Created before (UTC)" name="created_to" />
          </div>
        )}
      </form>
    </search>
  )
}

const MORE = ['message_type', 'agent_id', 'channel_id', 'campaign_id', 'to', 'contact_id', 'created_from', 'created_to']
const TYPES: readonly Option[] = ['MESSAGE', 'CONVERSATION', 'NEWSLETTER'].map((type) => [type, type] as const)

const named = (items: readonly Record<string, unknown>[] | undefined, id: string, name: string): Option[] =>
  (items ?? []).map((item) => [String(item[id]), String(item[name] ?? item[id])])

interface FilterProps {
  label: string
  name: string
  query: Query
  set: Setter
}

const Choice = ({ label, name, options, query, set }: FilterProps & { options: readonly Option[] }) => (
  <Field label={label}>
    <select value={query[name] ?? ''} onChange={({ currentTarget }) => set(name, currentTarget.value)}>
      <option value="">any</option>
      {options.map(([value, title]) => (
        <option key={value} value={value}>
          {title}
        </option>
      ))}
    </select>
  </Field>
)

const Typed = ({ label, name, placeholder, query, set }: FilterProps & { placeholder: string }) => (
  <Field label={label}>
    <input
      value={query[name] ?? ''}
      placeholder={placeholder}
      onChange={({ currentTarget }) => set(name, currentTarget.value.trim())}
    />
  </Field>
)

const Instant = ({ label, name, query, set }: FilterProps) => (
  <Field label={label}>
    <input
      type="datetime-local"
      value={query[name]?.slice(0, 16) ?? ''}
      onChange={({ currentTarget }) => set(name, currentTarget.value && `${currentTarget.value}:00.000Z`)}
    />
  </Field>
)

const TYPING_MS = 200

/** Searches while typing, with a delay. */
export function Search({
  label,
  placeholder,
  value,
  set,
}: {
  label: string
  placeholder: string
  value: string
  set: (text: string) => void
}) {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  useEffect(() => {
    if (text === value) return
    return later(TYPING_MS, () => set(text))
  }, [text])
  return (
    <Field label={label} class="field wide">
      <input
        type="search"
        value={text}
        placeholder={placeholder}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
    </Field>
  )
}
