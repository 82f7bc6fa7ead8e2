import { useEffect, useState } from 'preact/hooks'
import { MESSAGE_STATUSES } from '../../words/statuses.ts'
import { call } from '../api/client.ts'
import { go, place } from '../api/place.ts'
import { useRead } from '../api/read.ts'
import { later } from '../api/time.ts'
import { Field } from '../ui/fields.tsx'

/** The list's filters as in the API, kept in the address so that a list can be shared. */

export function Filters() {
  const { query } = place.value
  const { value: world } = useRead('world of filters', () => call('world', 'show'), { when: () => false })
  const set = (name: string, value: string) => go({ query: { ...query, [name]: value } }, { replace: true })
  const isNarrow = Object.keys(query).length > 0
  const [isWide, setWide] = useState(['to', 'contact_id', 'created_from', 'created_to'].some((name) => query[name]))
  return (
    <search>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <Search value={query.text ?? ''} set={(text) => set('text', text)} />
        <Choice label="Status" name="status" options={MESSAGE_STATUSES.map((status) => [status, status])} set={set} />
        <Choice
          label="Direction"
          name="direction"
          options={[
            ['OUTBOUND', 'sent'],
            ['INBOUND', 'received'],
          ]}
          set={set}
        />
        <Choice
          label="Type"
          name="message_type"
          options={['MESSAGE', 'CONVERSATION', 'NEWSLETTER'].map((type) => [type, type])}
          set={set}
        />
        <Choice label="Agent" name="agent_id" options={named(world?.agents, 'agent_id', 'display_name')} set={set} />
        <Choice label="Channel" name="channel_id" options={named(world?.channels, 'channel_id', 'name')} set={set} />
        <Choice
          label="Campaign"
          name="campaign_id"
          options={named(world?.campaigns, 'campaign_id', 'name')}
          set={set}
        />
        {isWide && (
          <>
            <Typed label="To" name="to" placeholder="+49… or address" set={set} />
            <Typed label="Contact" name="contact_id" placeholder="c_…" set={set} />
            <Typed label="From" name="created_from" placeholder="2026-01-31T00:00:00.000Z" set={set} />
            <Typed label="Before" name="created_to" placeholder="2026-02-01T00:00:00.000Z" set={set} />
          </>
        )}
        <button type="button" class="button quiet" aria-expanded={isWide} onClick={() => setWide(!isWide)}>
          {isWide ? 'Fewer' : 'More'}
        </button>
        {isNarrow && (
          <button type="button" class="button quiet" onClick={() => go({ query: {} }, { replace: true })}>
            Clear
          </button>
        )}
      </form>
    </search>
  )
}

type Option = readonly [value: string, title: string]

const named = (items: readonly Record<string, unknown>[] | undefined, id: string, name: string): Option[] =>
  (items ?? []).map((item) => [String(item[id]), String(item[name] ?? item[id])])

function Choice({
  label,
  name,
  options,
  set,
}: {
  label: string
  name: string
  options: readonly Option[]
  set: Setter
}) {
  return (
    <Field label={label}>
      <select value={place.value.query[name] ?? ''} onChange={({ currentTarget }) => set(name, currentTarget.value)}>
        <option value="">any</option>
        {options.map(([value, title]) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </select>
    </Field>
  )
}

type Setter = (name: string, value: string) => void

const Typed = ({
  label,
  name,
  placeholder,
  set,
}: {
  label: string
  name: string
  placeholder: string
  set: Setter
}) => (
  <Field label={label}>
    <input
      value={place.value.query[name] ?? ''}
      placeholder={placeholder}
      onChange={({ currentTarget }) => set(name, currentTarget.value.trim())}
    />
  </Field>
)

const TYPING_MS = 200

/** Searches while typing, with a delay. */
function Search({ value, set }: { value: string; set: (text: string) => void }) {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  useEffect(() => {
    if (text === value) return
    return later(TYPING_MS, () => set(text))
  }, [text])
  return (
    <Field label="Search" class="field wide">
      <input
        type="search"
        value={text}
        placeholder="Text, recipient or id   /"
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
    </Field>
  )
}
