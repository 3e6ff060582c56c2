import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Language, typesOf } from '../../src/domain/types/types.ts'
import { has } from '../cli/shells.ts'
import { CONTRACTS, SAMPLES } from './typed-samples.ts'

const MINUTES = 240_000

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cacpd-types-'))
})
afterAll(() => rm(folder, { recursive: true }))

const put = async (name: string, text: string) => {
  await mkdir(join(folder, name, '..'), { recursive: true })
  await writeFile(join(folder, name), text)
}

/** All that it said, with its exit code. */
async function told(program: string, ...args: readonly string[]): Promise<{ code: number; said: string }> {
  try {
    const { stdout, stderr } = await promisify(execFile)(program, [...args], {
      cwd: folder,
      env: { ...process.env, GOCACHE: join(folder, 'go-cache'), GOFLAGS: '-mod=mod', GO111MODULE: 'on' },
      maxBuffer: 64 * 1024 * 1024,
    })
    return { code: 0, said: `${stdout}${stderr}` }
  } catch (error) {
    const {
      code = -1,
      stdout = '',
      stderr = '',
    } = error as { code?: number; stdout?: string; stderr?: string }
    return { code, said: `${stdout}${stderr}` }
  }
}

const types = (language: Language) => typesOf(CONTRACTS, language)

test('there are values to try', () => {
  expect(SAMPLES.length).toBeGreaterThan(150)
})

describe('the generated TypeScript', () => {
  test(
    'compiles under tsc --strict, and takes what the contracts allow',
    async () => {
      const values = SAMPLES.map(
        ({ type, value }, index) => `export const v${index}: T.${type} = ${literal(value)}\n`,
      )
      await put('types.ts', types('ts'))
      await put('values.ts', `import type * as T from './types.ts'\n${values.join('')}`)
      const tsc = join(import.meta.dirname, '../../node_modules/.bin/tsc')
      const flags = ['--strict', '--noEmit', '--allowImportingTsExtensions', '--noUncheckedIndexedAccess']
      expect(await told(tsc, ...flags, 'types.ts', 'values.ts')).toEqual({ code: 0, said: '' })
    },
    MINUTES,
  )

  test(
    'refuses what a contract does not allow',
    async () => {
      await put('types.ts', types('ts'))
      await put(
        'wrong.ts',
        `import type * as T from './types.ts'
export const a: T.Nulls = { a: undefined }
export const b: T.Enums = { one: 'other' }
export const c: T.GetUserResponse200Body = { id: 'x', role: 'owner' }
`,
      )
      const tsc = join(import.meta.dirname, '../../node_modules/.bin/tsc')
      const { said } = await told(
        tsc,
        '--strict',
        '--noEmit',
        '--allowImportingTsExtensions',
        '--pretty',
        'false',
        'wrong.ts',
      )
      expect(said.match(/wrong\.ts\(\d+/g)).toEqual(['wrong.ts(2', 'wrong.ts(3', 'wrong.ts(4'])
    },
    MINUTES,
  )
})

// Where mypy or Go is missing nothing can be asked; CI has them from Debian's packages, as CONTRIBUTING.md says.
describe.skipIf(!has('mypy'))('the generated Python', () => {
  test(
    'imports and passes mypy --strict, and takes what the contracts allow',
    async () => {
      const values = SAMPLES.map(
        ({ type, value }, index) => `v${index}: t.${type} = ${pythonLiteral(value)}\n`,
      )
      await put('types_py.py', types('python'))
      await put('values.py', `import types_py as t\n${values.join('')}`)
      expect(await told('mypy', '--strict', '--no-incremental', 'values.py')).toMatchObject({
        code: 0,
        said: expect.stringContaining('no issues found'),
      })
      expect(await told('/usr/bin/python3', '-c', 'import types_py, values')).toEqual({ code: 0, said: '' })
    },
    MINUTES,
  )
})

describe.skipIf(!has('go'))('the generated Go', () => {
  test(
    'is as gofmt writes it, passes go vet, and sends again what it has read',
    async () => {
      await put('go.mod', 'module example.com/try\n\ngo 1.18\n')
      await put('contracts/types.go', types('go'))
      await put('main.go', goProgram())
      expect(await told('gofmt', '-l', 'contracts')).toEqual({ code: 0, said: '' })
      expect(await told('go', 'vet', './...')).toEqual({ code: 0, said: '' })
      expect(await told('go', 'run', '.')).toEqual({ code: 0, said: `${SAMPLES.length} values\n` })
    },
    MINUTES,
  )
})

/** A key that is computed is a key like any other, also `__proto__`. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([key, inner]) => `[${JSON.stringify(key)}]: ${literal(inner)}`)
    .join(', ')}}`
}

function pythonLiteral(value: unknown): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(', ')}]`
  if (typeof value !== 'object') return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([key, inner]) => `${JSON.stringify(key)}: ${pythonLiteral(inner)}`)
    .join(', ')}}`
}

const goProgram = (): string => `package main

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"

	"example.com/try/contracts"
)

func try[T any](text string) {
	var value T
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		fmt.Println(reflect.TypeOf(value), text, err)
		os.Exit(1)
	}
	sent, err := json.Marshal(value)
	if err != nil {
		fmt.Println(text, err)
		os.Exit(1)
	}
	var before, after any
	_ = json.Unmarshal([]byte(text), &before)
	_ = json.Unmarshal(sent, &after)
	if !reflect.DeepEqual(before, after) {
		fmt.Println(reflect.TypeOf(value), text, "became", string(sent))
		os.Exit(1)
	}
}

func main() {
${SAMPLES.map(({ type, value }) => `\ttry[contracts.${type}](${JSON.stringify(JSON.stringify(value))})\n`).join('')}	fmt.Println("${SAMPLES.length} values")
}
`
