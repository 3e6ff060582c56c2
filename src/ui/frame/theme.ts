import { effect } from '@preact/signals'
import { setting } from './settings.ts'

export type Theme = 'system' | 'light' | 'dark'

export const theme = setting<Theme>('theme', 'system')

export function applyTheme(): void {
  effect(() => {
    document.documentElement.dataset['theme'] = theme.value
  })
}
