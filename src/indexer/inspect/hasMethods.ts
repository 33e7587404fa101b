import { getMethodId } from '../../codec/tlb/VmValue.ts'
import type { Subject } from './Subject.ts'

/** Whether a code has all of these methods. */
export const hasMethods = (...names: readonly string[]): ((subject: Subject) => boolean) => {
  const ids = names.map(getMethodId)
  return ({ methods }) => ids.every((id) => methods.has(id))
}

/** Whether it has one of them. */
export const hasAnyMethod = (...names: readonly string[]): ((subject: Subject) => boolean) => {
  const ids = names.map(getMethodId)
  return ({ methods }) => ids.some((id) => methods.has(id))
}
