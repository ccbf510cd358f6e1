import './noEval.ts'
import './tokens.css'
import { MantineProvider } from '@mantine/core'
import { ModalsProvider } from '@mantine/modals'
import { Notifications, notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { watchLeaving } from './leaving.ts'
import { router } from './routes.tsx'
import { onSessionEnd } from './session.ts'
import { colorSchemes, theme } from './theme.ts'
import { tradeToken } from './tokenLink.ts'
import { read } from './useApi.ts'

onSessionEnd((why) => {
  if (why === 'expired')
    notifications.show({ message: 'Your session has ended. Please log in again.', withBorder: true })
  // What was read goes only when nobody looks at it any more, or it would be read again for nobody.
  void router.navigate({ to: '/login' }).then(() => read.clear())
})

// A chunk of an older build is gone after an upgrade: the new page has new ones.
window.addEventListener('vite:preloadError', (event) => {
  event.preventDefault()
  location.reload()
})

watchLeaving()
await tradeToken()

createRoot(document.getElementById('root') ?? document.body).render(
  <StrictMode>
    {/* Variables and global classes come from tokens.css: a policy without inline styles forbids what it would inject. */}
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemes}
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <QueryClientProvider client={read}>
        <ModalsProvider>
          <Notifications position="top-right" />
          <RouterProvider router={router} />
        </ModalsProvider>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
