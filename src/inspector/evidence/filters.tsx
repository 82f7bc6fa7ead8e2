import { KINDS } from '../../controls/evidence/item.ts'
import type { Filter } from './filter.ts'

interface Props {
  filter: Filter
  set(filter: Filter): void
  messages: readonly string[]
}

export function Filters({ filter, set, messages }: Props) {
  const change = (part: Partial<Filter>) => set({ ...filter, ...part })
  return (
    <form class="filters" onSubmit={(event) => event.preventDefault()}>
      <label>
        Search
        <input
          type="search"
          value={filter.text}
          onInput={({ currentTarget }) => change({ text: currentTarget.value })}
        />
      </label>
      <label>
        Message
        <select value={filter.message} onChange={({ currentTarget }) => change({ message: currentTarget.value })}>
          <option value="">all</option>
          {messages.map((id) => (
            <option key={id} value={id}>
              {id}
            </option>
          ))}
        </select>
      </label>
      {KINDS.map((kind) => (
        <label key={kind} class="check">
          <input
            type="checkbox"
            checked={!filter.hidden.includes(kind)}
            onChange={({ currentTarget }) =>
              change({
                hidden: currentTarget.checked ? filter.hidden.filter((one) => one !== kind) : [...filter.hidden, kind],
              })
            }
          />
          {kind}
        </label>
      ))}
      <label class="check">
        <input
          type="checkbox"
          checked={filter.onlyBad}
          onChange={({ currentTarget }) => change({ onlyBad: currentTarget.checked })}
        />
        only what went wrong
      </label>
    </form>
  )
}
