import { signal } from '@preact/signals'
import type { Connection } from './connection.ts'
import type { News } from './event.ts'

export const connection = signal<Connection>({ is: 'connecting' })

const listeners = new Set<(news: News) => void>()

export function onNews(listener: (news: News) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function tellNews(news: News): void {
  for (const listener of [...listeners]) listener(news)
}
