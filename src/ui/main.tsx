import { render } from 'preact'
import { useEffect } from 'preact/hooks'
import { showCount } from './frame/count.ts'
import { Frame } from './frame/frame.tsx'
import { listenForKeys } from './frame/keys.ts'
import { Login } from './frame/login.tsx'
import { applyTheme } from './frame/theme.ts'
import { sessionEnded } from './session/ended.ts'
import { askWhose, openSession, refusal, session } from './session/session.ts'
import { shareStream } from './stream/share.ts'

function Page() {
  const hasSession = session.value !== undefined
  useEffect(() => {
    if (hasSession) shareStream()
  }, [hasSession])
  if (sessionEnded.value || (!hasSession && refusal.value !== undefined))
    return <Login fault={refusal.value} again={() => void askWhose()} />
  return hasSession ? <Frame /> : null
}

applyTheme()
showCount()
listenForKeys()
await openSession()
const place = document.getElementById('app')
if (place !== null) render(<Page />, place)
