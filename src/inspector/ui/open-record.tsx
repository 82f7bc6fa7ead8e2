import { useState } from 'preact/hooks'
import { go } from '../api/place.ts'
import { Field } from './fields.tsx'

/** A form that opens a record of a page by its id or address. */
export function OpenRecord({
  page,
  label,
  placeholder,
  initial = '',
}: {
  page: string
  label: string
  placeholder: string
  initial?: string | undefined
}) {
  const [id, setId] = useState(initial)
  return (
    <form
      class="filters"
      onSubmit={(event) => {
        event.preventDefault()
        if (id.trim()) go({ page, id: id.trim() })
      }}
    >
      <Field label={label} class="field wide">
        <input
          type="search"
          value={id}
          placeholder={placeholder}
          onInput={({ currentTarget }) => setId(currentTarget.value)}
        />
      </Field>
      <button type="submit" class="button main">
        Open
      </button>
    </form>
  )
}
