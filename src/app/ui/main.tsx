import '#ui/data/no-eval.ts'
import '#ui/theme/tokens.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { type ReactNode, StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
// Part of the shell: nearly every screen has a list that is longer than the window.
import '#ui/table/rows/VirtualBody.tsx'
import { SignInPrompts } from '#domains/access/sign-in/ui/SignInPrompts.tsx'
import { readCurrentUser } from '#domains/access/ui/current-user.ts'
import { PersonProvider } from '#domains/access/ui/PersonProvider.tsx'
import { readAddressSecret } from '#ui/data/address-secrets.ts'
import { getLoginPath } from '#ui/data/login-path.ts'
import { watchPageUnload } from '#ui/data/page-unload.ts'
import { forgetPlace, keepPlace } from '#ui/data/return-place.ts'
import { onSessionEnd } from '#ui/data/session-token.ts'
import { queryClient } from '#ui/data/useApi.ts'
import { OverlayHost } from '#ui/feedback/OverlayHost.tsx'
import { toastInfo } from '#ui/feedback/toast.tsx'
import { listDraftTitles } from '#ui/form/kept-drafts.ts'
import { colorSchemeManager, mantineTheme } from '#ui/theme/theme.ts'
import { findFirstScreen } from './first-screen.ts'
import { appRouter } from './router.tsx'

onSessionEnd((why) => {
  const userId = readCurrentUser()?.id
  if (why === 'expired' && userId !== undefined) keepPlace(appRouter.history.location.href, userId)
  else forgetPlace()
  void appRouter.navigate({ to: getLoginPath(), ignoreBlocker: true }).then(() => {
    // Cached data is dropped after its page is left; dropped earlier, it would be fetched again at once.
    queryClient.clear()
    if (why !== 'expired') return
    const kept = listDraftTitles(userId).map((title) => `What you typed in “${title}” is kept: open it again.`)
    toastInfo(['Your session has ended. Please log in again.', ...kept].join(' '))
  })
})

// A chunk of an older build is gone after an upgrade, and the new page has new ones. Reload only once: if it is gone for good, a
// second reload would not bring it back.
window.addEventListener('vite:preloadError', (event) => {
  if (!navigator.onLine) return // without a network the reload would fail, too
  const key = 'leadline.reloaded'
  const last = Number(sessionStorage.getItem(key))
  if (Date.now() - last < 60_000) return
  sessionStorage.setItem(key, String(Date.now()))
  event.preventDefault()
  location.reload()
})

const appRoot = createRoot(document.getElementById('root') ?? document.body)
const renderApp = (content: ReactNode) =>
  appRoot.render(
    <StrictMode>
      {/* Variables and global classes come from tokens.css: the policy forbids the inline styles that Mantine would inject. */}
      <MantineProvider
        theme={mantineTheme}
        defaultColorScheme="auto"
        colorSchemeManager={colorSchemeManager}
        withCssVariables={false}
        withGlobalClasses={false}
      >
        <QueryClientProvider client={queryClient}>
          <OverlayHost />
          {content}
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  )

/** Not at the top level: the question's chunk imports this one, and would wait for it to end. */
async function start() {
  const token = readAddressSecret('token')
  if (token !== null) {
    const { exchangeToken } = await import('#domains/access/ui/token-link.ts')
    await exchangeToken(token, () => renderApp(null))
  }
  // Renders in slices, so that the page stays responsive in between.
  startTransition(() =>
    renderApp(
      <PersonProvider findFirstScreen={findFirstScreen}>
        <RouterProvider router={appRouter} />
        <SignInPrompts />
      </PersonProvider>,
    ),
  )
}

watchPageUnload()
void start()
