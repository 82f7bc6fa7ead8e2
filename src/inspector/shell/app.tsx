import { useEffect } from 'preact/hooks'
import { namespace } from '../api/namespace.ts'
import { lastResult } from '../api/page-action.ts'
import { hrefOf, place } from '../api/place.ts'
import { token } from '../api/token.ts'
import { hint } from '../ui/action-button.tsx'
import { useKeys } from './keys.ts'
import { NAVIGATION, pageOf } from './pages.tsx'
import { TokenForm } from './token-form.tsx'
import { TopBar } from './top-bar.tsx'

export function App() {
  useKeys()
  const { page } = place.value
  const known = pageOf(page)
  useEffect(() => {
    document.title = `${known?.title ?? 'Not found'} · ${namespace.value} · Messaging sandbox`
  }, [known, namespace.value])
  return (
    <div class="app">
      <button type="button" class="skip button" onClick={() => document.getElementById('main')?.focus()}>
        Skip to content
      </button>
      <Navigation current={page} />
      <TopBar />
      <main id="main" tabIndex={-1} key={`${namespace.value} ${page}`}>
        {token.isAsked ? <TokenForm /> : known ? <known.view /> : <p class="empty">There is no page “{page}”.</p>}
      </main>
      <Foot />
    </div>
  )
}

const Navigation = ({ current }: { current: string }) => (
  <nav class="nav" aria-label="Pages">
    <p class="brand">
      <img src="/inspector/icon.svg" alt="" width="22" height="22" /> Sandbox
    </p>
    {NAVIGATION.map(({ heading, pages }) => (
      <div key={heading}>
        <h2>{heading}</h2>
        <ul>
          {pages.map(({ name, title }) => (
            <li key={name}>
              <a href={hrefOf({ page: name })} aria-current={name === current ? 'page' : undefined}>
                {title}
              </a>
            </li>
          ))}
        </ul>
      </div>
    ))}
  </nav>
)

/** Shows the command of the pointed element, else the last result. */
function Foot() {
  const done = lastResult.value
  const command = hint.value ?? done?.command
  return (
    <footer class="foot">
      <code class="command">
        {command ? (
          <>
            <span aria-hidden="true">$ </span>
            {command}
          </>
        ) : (
          'Every action here has a command that does the same; it is shown in this line.'
        )}
      </code>
      {command && (
        <button type="button" class="button quiet small" onClick={() => void navigator.clipboard?.writeText(command)}>
          Copy
        </button>
      )}
      <span class={`said ${done?.isRefused ? 'bad' : ''}`} role="status">
        {done?.says}
      </span>
    </footer>
  )
}
