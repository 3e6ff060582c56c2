import { effect } from '@preact/signals'
import { render } from 'preact'
import { useEffect } from 'preact/hooks'
import { showCount } from './frame/count.ts'
import { Frame } from './frame/frame.tsx'
import { listenForKeys } from './frame/keys.ts'
import { Login } from './frame/login.tsx'
import { noticesOn } from './frame/notices.ts'
import { applyTheme } from './frame/theme.ts'
import { sessionEnded } from './session/ended.ts'
import { askWhose, followLogins, openSession, refusal, session } from './session/session.ts'
import { connection } from './stream/bus.ts'
import { shareStream } from './stream/share.ts'

function Page() {
  const hasSession = session.value !== undefined
  useEffect(() => {
    const since = session.value?.cursor
    if (since !== undefined) shareStream({ since, isAwakeHidden: () => noticesOn.value === 'on' })
  }, [hasSession])
  if (hasSession) return <Frame />
  if (!sessionEnded.value && refusal.value === undefined) return null
  return <Login fault={refusal.value} again={() => void askWhose()} />
}

applyTheme()
showCount()
listenForKeys()
followLogins()
// A daemon that was away may have been updated meanwhile.
let wasAway = false
effect(() => {
  const { is } = connection.value
  if (is === 'live' && wasAway) void askWhose()
  wasAway = is !== 'live' && (wasAway || is === 'waiting' || is === 'asleep')
})
await openSession()
const place = document.getElementById('app')
if (place !== null) render(<Page />, place)
