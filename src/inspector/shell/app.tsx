import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { namespace } from '../api/namespace.ts'
import { hrefOf, place } from '../api/place.ts'
import { token } from '../api/token.ts'
import { ConfirmDialog } from '../ui/confirm.tsx'
import { Empty, PageHead } from '../ui/parts.tsx'
import { pageTitle } from '../ui/title.ts'
import { Foot } from './foot.tsx'
import { Help } from './help.tsx'
import { useKeys } from './keys.ts'
import { ICONS, NAVIGATION, pageOf } from './pages.tsx'
import { Palette } from './palette.tsx'
import { TokenForm } from './token-form.tsx'
import { TopBar, TopButtons } from './top-bar.tsx'
import { isUnknown, UnknownNamespace } from './unknown-namespace.tsx'

export function App() {
  useKeys()
  useEffect(keepFocus, [])
  const { page, id } = place.value
  return (
    <div class="app">
      <button type="button" class="skip button" onClick={() => document.getElementById('main')?.focus()}>
        Skip to content
      </button>
      <Navigation current={page} />
      <TopBar />
      <main id="main" tabIndex={-1} key={`${place.value.invalidNamespace ?? namespace.value} ${page} ${id}`}>
        <Content page={page} id={id} />
      </main>
      <Foot />
      <p class="sr-only" aria-live="polite">
        {pageTitle.value}
      </p>
      <ConfirmDialog />
      <Palette />
      <Help />
    </div>
  )
}

function Content({ page, id }: { page: string; id: string | undefined }) {
  const found = pageOf(page)
  if (token.demand) return <TokenForm />
  if (isUnknown()) return <UnknownNamespace />
  if (found?.one && id !== undefined) return <found.one id={id} />
  if (found) return <found.view />
  return (
    <>
      <PageHead title="Page not found" />
      <Empty>There is no page “{page}”. Choose one in the navigation.</Empty>
    </>
  )
}

/** All pages: a column beside the page, and a menu on a narrow screen. */
function Navigation({ current }: { current: string }) {
  const nav = useRef<HTMLElement>(null)
  // Not scrollIntoView, from which the first Tab would go on, past “Skip to content”.
  useLayoutEffect(() => {
    const box = nav.current!
    const link = box.querySelector<HTMLElement>('[aria-current]')
    if (link) box.scrollTo(0, link.offsetTop - (box.clientHeight - link.offsetHeight) / 2)
  }, [current])
  return (
    <nav class="nav" aria-label="Pages" ref={nav}>
      <p class="brand">
        <img src="/inspector/icon.svg" alt="" width="22" height="22" /> Sandbox
      </p>
      <button type="button" class="button menu-button" popoverTarget="pages">
        ☰ Menu
      </button>
      <div id="pages" class="pages" popover="auto">
        {NAVIGATION.map(({ heading, pages }) => (
          <div key={heading}>
            <h2>{heading}</h2>
            <ul>
              {pages.map(({ name, title }) => (
                <li key={name}>
                  <a
                    href={hrefOf({ page: name })}
                    aria-current={name === current ? 'page' : undefined}
                    onClick={closeMenu}
                  >
                    <svg viewBox="0 0 16 16" aria-hidden="true">
                      <path d={ICONS[name]} />
                    </svg>
                    {title}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
        <p class="choices">
          <TopButtons />
        </p>
      </div>
    </nav>
  )
}

const closeMenu = () => document.getElementById('pages')!.togglePopover(false)

/** Moves the focus to the page when the focused element disappears, instead of losing it to the body. */
function keepFocus(): () => void {
  let focused: Element | null = null
  const remember = (event: FocusEvent) => {
    focused = event.target as Element
  }
  const watcher = new MutationObserver(() => {
    if (!focused || focused.isConnected || document.activeElement !== document.body) return
    focused = null
    document.getElementById('main')?.focus({ preventScroll: true })
  })
  addEventListener('focusin', remember)
  watcher.observe(document.getElementById('app')!, { childList: true, subtree: true })
  return () => {
    removeEventListener('focusin', remember)
    watcher.disconnect()
  }
}
