import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Left alone, it keeps one processor for itself, which on a small machine is half of all.
    maxWorkers: '100%',
  },
})
