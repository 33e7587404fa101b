import type { TargetedKeyboardEvent } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { hashToHex } from '../model/addresses.ts'
import { groupDigits } from '../model/format.ts'
import { findStep, type Step, type StepPages } from '../model/vmSteps.ts'

const ROW_HEIGHT = 24
const OVERSCAN = 8
const MAX_INDENT = 14

type InstructionsProps = {
  readonly total: number
  readonly pages: StepPages
  readonly position: number
  readonly failedAt: number | undefined
  onMove(position: number): void
  /** Called with steps that are in view. */
  want(index: number): void
}

/** All instructions of a run, of which only those in view are in the document. */
export const Instructions = ({ total, pages, position, failedAt, onMove, want }: InstructionsProps) => {
  const frame = useRef<HTMLDivElement>(null)
  const hasScrolled = useRef(false)
  const [view, setView] = useState({ top: 0, height: 480 })
  useLayoutEffect(() => {
    const element = frame.current
    if (element === null) return
    const { scrollTop, clientHeight } = element
    const top = position * ROW_HEIGHT
    const isSeen = top >= scrollTop && top + 2 * ROW_HEIGHT <= scrollTop + clientHeight
    if (!isSeen || !hasScrolled.current) element.scrollTop = Math.max(0, top - clientHeight / 3)
    hasScrolled.current = true
    setView({ top: element.scrollTop, height: clientHeight })
  }, [position, total])
  const first = Math.max(0, Math.floor(view.top / ROW_HEIGHT) - OVERSCAN)
  const last = Math.min(total, Math.ceil((view.top + view.height) / ROW_HEIGHT) + OVERSCAN)
  const rows = Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index)
  const missing = rows.find((index) => findStep(pages, index) === undefined)
  useLayoutEffect(() => {
    if (missing !== undefined) want(missing)
  }, [missing, pages])
  const onKey = (event: TargetedKeyboardEvent<HTMLDivElement>): void => {
    const page = Math.max(1, Math.floor(view.height / ROW_HEIGHT) - 1)
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: position + 1,
      ArrowUp: position - 1,
      PageDown: position + page,
      PageUp: position - page,
      Home: 0,
      End: total,
    }
    const next = moves[event.key]
    if (next === undefined) return
    event.preventDefault()
    onMove(next)
  }
  return (
    <div
      class="vm-steps"
      role="listbox"
      aria-label="Instructions"
      aria-activedescendant={position < total ? `step-${position}` : undefined}
      tabIndex={0}
      ref={frame}
      onKeyDown={onKey}
      onScroll={({ currentTarget: { scrollTop, clientHeight } }) => setView({ top: scrollTop, height: clientHeight })}
    >
      <div class="vm-steps-all" style={{ height: `${total * ROW_HEIGHT}px` }}>
        {rows.map((index) => (
          <Row
            key={index}
            index={index}
            total={total}
            step={findStep(pages, index)}
            before={findStep(pages, index - 1)}
            isCurrent={index === position}
            hasFailed={index === failedAt}
            onSelect={() => onMove(index)}
          />
        ))}
      </div>
    </div>
  )
}

type RowProps = {
  readonly index: number
  readonly total: number
  readonly step: Step | undefined
  readonly before: Step | undefined
  readonly isCurrent: boolean
  readonly hasFailed: boolean
  onSelect(): void
}

const Row = ({ index, total, step, before, isCurrent, hasFailed, onSelect }: RowProps) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: the list itself handles the keys
  <div
    id={`step-${index}`}
    role="option"
    aria-selected={isCurrent}
    aria-setsize={total}
    aria-posinset={index + 1}
    tabIndex={-1}
    class={`vm-step mono ${hasFailed ? 'is-failed' : ''}`}
    style={{ transform: `translateY(${index * ROW_HEIGHT}px)` }}
    onClick={onSelect}
  >
    <span class="vm-number muted">{index}</span>
    {step === undefined ? (
      <span class="vm-cell muted">…</span>
    ) : (
      <>
        <span class="vm-cell muted" title={`cell ${hashToHex(step.cell)}, bit ${step.offset}`}>
          {step.cell !== before?.cell && <span class="vm-cell-hash">{hashToHex(step.cell).slice(0, 6)}</span>}
          <span class="vm-offset">{step.offset}</span>
        </span>
        <span class="vm-op">
          <span class="vm-indent" style={{ width: `${12 * Math.min(step.d, MAX_INDENT)}px` }} />
          <span class="vm-op-text">{step.op}</span>
          {step.act !== undefined && <span class="vm-mark is-action">action {step.act}</span>}
          {step.child !== undefined && <span class="vm-mark">{groupDigits(step.child.steps_total)} steps inside</span>}
          {step.exc !== undefined && (
            <span class={`vm-mark ${step.exc.caught ? 'is-caught' : 'is-thrown'}`}>
              {step.exc.caught ? 'caught' : 'throws'} {step.exc.code}
            </span>
          )}
        </span>
        <span class="vm-gas muted">{groupDigits(step.gas)}</span>
      </>
    )}
  </div>
)
