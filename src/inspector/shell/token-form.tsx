import { useState } from 'preact/hooks'
import { isPublicKey, namespaceOfApiKey } from '../../words/api-key.ts'
import { namespaceOfControlToken } from '../../words/control-token.ts'
import { namespace } from '../api/namespace.ts'
import { go } from '../api/place.ts'
import { token } from '../api/token.ts'

/** Asks for the control token of a sandbox that other machines can reach. */
export function TokenForm() {
  const [text, setText] = useState(token.value)
  const [keyProblem, setKeyProblem] = useState<string>()
  const problem =
    keyProblem ?? (token.demand === 'wrong' ? 'The sandbox refused this token. Check it and try again.' : undefined)
  return (
    <form
      class="panel token"
      onSubmit={(event) => {
        event.preventDefault()
        const entered = text.trim()
        const isKey = entered.startsWith('sk_')
        setKeyProblem(isKey ? keyRefusal(entered) : undefined)
        if (isKey) return
        const own = namespaceOfControlToken(entered)
        if (own !== undefined && own !== namespace.value) go({ namespace: own })
        token.set(entered)
      }}
    >
      <h1>Control token required</h1>
      <p>
        This sandbox requires its control token. <code>sandbox start</code> prints the token, and{' '}
        <code>sandbox open</code> passes it on. In a shared sandbox, use the token of your namespace, which{' '}
        <code>sandbox namespaces create</code> printed. This tab forgets it when you close the tab.
      </p>
      <label>
        Control token
        <input
          type="password"
          autocomplete="off"
          aria-invalid={problem !== undefined}
          aria-describedby={problem && 'token-error'}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          ref={(field) => field?.focus()}
        />
      </label>
      {problem && (
        <p class="refused" role="alert" id="token-error">
          {problem}
        </p>
      )}
      <button class="button main" type="submit">
        Use this token
      </button>
    </form>
  )
}

/** A key opens `/v1` only, and this page reads the control plane. It is kept in no storage and not sent. */
function keyRefusal(key: string): string {
  const own = isPublicKey(key) ? undefined : namespaceOfApiKey(key)
  return `That is an API key, which opens /v1 only. The control token${own ? ` of ${own} starts with ct_${own}_` : ' is printed by “sandbox start”'}.`
}
