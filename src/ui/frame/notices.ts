import { setting } from './settings.ts'

/** Whether the browser tells what only a person can do while the page is in the background. */
export const noticesOn = setting<'on' | 'off'>('notices', 'off')

export const canNotify = (): boolean => typeof Notification !== 'undefined'

/** Asks the browser; undefined: it may, else why it may not. */
export async function allowNotices(): Promise<string | undefined> {
  const answer = await Notification.requestPermission()
  if (answer === 'granted') return undefined
  return 'This browser does not let the page notify: allow it in the settings of the browser for this address'
}

interface Notice {
  /** The same one replaces itself, also from another tab. */
  readonly id: string
  readonly title: string
  /** Our own words: what others wrote is not shown outside of the page. */
  readonly text: string
  open(): void
}

export function notify({ id, title, text, open }: Notice): void {
  if (noticesOn.value !== 'on' || !canNotify() || Notification.permission !== 'granted') return
  const notice = new Notification(title, { body: text, tag: id })
  notice.onclick = () => {
    window.focus()
    open()
    notice.close()
  }
}
