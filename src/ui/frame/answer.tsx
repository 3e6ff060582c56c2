import type { ComponentChildren } from 'preact'
import type { CallFault } from '../call/fault.ts'
import type { Shown } from '../call/use-call.ts'
import { clockTime } from '../text/time.ts'
import { Icon } from './icon.tsx'

interface AnswerProps<Result> {
  readonly of: Shown<Result>
  /** What is shown where there is nothing; undefined: the value is never empty. */
  readonly empty?: (value: Result) => ComponentChildren
  readonly children: (value: Result) => ComponentChildren
}

/** One of four pictures, so that nobody takes one for another: loading, failed, empty, or the value, which may be old. */
export function Answer<Result>({ of, empty, children }: AnswerProps<Result>) {
  const { value, at, fault, again } = of
  if (value === undefined) return fault === undefined ? <Loading /> : <Failed fault={fault} again={again} />
  const nothing = empty?.(value)
  return (
    <>
      {fault !== undefined && at !== undefined && <Stale fault={fault} at={at} again={again} />}
      {nothing === undefined || nothing === null || nothing === false ? children(value) : nothing}
    </>
  )
}

/** Grey bars, which appear after a moment only: most answers are there before. */
export function Loading() {
  return (
    <div class="loading" role="status">
      <span class="visually-hidden">Loading</span>
      <div class="bar" />
      <div class="bar" />
      <div class="bar" />
    </div>
  )
}

/** The fault's own words, what to do about it, and a way to try again. */
export function Failed({ fault, again }: { readonly fault: CallFault; readonly again?: () => void }) {
  return (
    <div class="failed" role="alert">
      <p class="failed-what">
        <Icon name="warning" />
        <strong>{fault.message}</strong>
      </p>
      {fault.next !== undefined && <p>{fault.next}.</p>}
      {again !== undefined && (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  )
}

function Stale({ fault, at, again }: { readonly fault: CallFault; readonly at: number; again(): void }) {
  return (
    <p class="stale" role="status">
      <Icon name="clock" />
      <span>
        Shown as of {clockTime(at)}. {fault.message}.
      </span>
      <button type="button" class="link" onClick={again}>
        Try again
      </button>
    </p>
  )
}

/** Says that there is nothing, and what would change that. */
export function Empty({
  title,
  children,
}: {
  readonly title: string
  readonly children?: ComponentChildren
}) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  )
}
