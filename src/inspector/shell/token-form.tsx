import { useState } from 'preact/hooks'
import { namespaceOfControlToken } from '../../words/control-token.ts'
import { go } from '../api/place.ts'
import { token } from '../api/token.ts'

/** Asks for the control token of a sandbox that other machines can reach. */
export function TokenForm() {
  const [text, setText] = useState(token.value)
  const isWrong = token.demand === 'wrong'
  return (
    <form
      class="panel token"
      onSubmit={(event) => {
        event.preventDefault()
        const entered = text.trim()
        const own = namespaceOfControlToken(entered)
        if (own !== undefined) go({ namespace: own })
        token.set(entered)
      }}
    >
      <h1>Control token required</h1>
      <p>
        Other machines can reach this sandbox, so it asks for its control token. <code>sandbox start</code> prints the
        token, and <code>sandbox open</code> passes it on. In a shared sandbox, the token of a namespace shows that
        namespace only. This tab keeps it until it is closed.
      </p>
      <label>
        Control token
        <input
          type="password"
          autocomplete="off"
          aria-invalid={isWrong}
          aria-describedby={isWrong ? 'token-error' : undefined}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          ref={(field) => field?.focus()}
        />
      </label>
      {isWrong && (
        <p class="refused" role="alert" id="token-error">
          The sandbox refused this token. Check it and try again.
        </p>
      )}
      <button class="button main" type="submit">
        Use this token
      </button>
    </form>
  )
}
