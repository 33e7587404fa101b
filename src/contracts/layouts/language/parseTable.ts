import type { Definition } from './Definition.ts'
import { parseDefinition } from './parseDefinition.ts'

/**
 * Parses a table: a definition starts at the start of a line and goes on over the indented lines below it. What follows
 * `//` is a remark.
 */
export const parseTable = (name: string, text: string): Definition[] => {
  const definitions: Definition[] = []
  let open: { text: string; line: number } | undefined
  const finish = (): void => {
    if (open !== undefined) definitions.push(parseDefinition(open.text, `${name}, line ${open.line}`))
    open = undefined
  }
  text.split('\n').forEach((raw, index) => {
    const line = raw.replace(/\/\/.*$/, '').trimEnd()
    if (line === '') return
    if (open !== undefined && /^\s/.test(line)) open.text += ` ${line.trim()}`
    else {
      finish()
      open = { text: line.trim(), line: index + 1 }
    }
  })
  finish()
  return definitions
}
