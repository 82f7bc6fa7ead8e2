import { useState } from 'preact/hooks'
import { token } from '../api/token.ts'

/** Asks for the control token of a sandbox that other machines can reach. */
export function TokenForm() {
  const [text, setText] = useState('')
  return (
    <form
      class="panel token"
      onSubmit={(event) => {
        event.preventDefault()
        token.set(text.trim())
      }}
    >
      <h1>This sandbox is open to others, so it asks for its control token</h1>
      <p>
        <code>sandbox start</code> shows it, and <code>sandbox open</code> brings it along. It is kept until this tab is
        closed.
      </p>
      <label>
        Control token
        <input
          type="password"
          autocomplete="off"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <button class="button main" type="submit">
        Use it
      </button>
    </form>
  )
}
