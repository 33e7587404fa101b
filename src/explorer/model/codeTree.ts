/** A line of disassembled code, with what is inside of it. */
export type CodeNode = {
  /** In bits from the start of its cell; empty where the line is no instruction. */
  readonly offset: string
  readonly text: string
  readonly children: readonly CodeNode[]
}

const LINE = /^(?<indent> *)(?:(?<offset>\d+): )?(?<text>.*)$/
/** From such a line on the code stands in another cell. */
const NEXT_CELL = '→ '

/** Turns indented lines into a tree: what an instruction contains, and the cell that code goes on in, is below its line. */
export const buildCodeTree = (lines: readonly string[]): readonly CodeNode[] => {
  const [nodes] = readLevel(lines, 0, 0)
  return nodes
}

const readLevel = (lines: readonly string[], from: number, level: number): [nodes: CodeNode[], next: number] => {
  const nodes: CodeNode[] = []
  let at = from
  while (at < lines.length) {
    const {
      indent,
      offset = '',
      text,
    } = LINE.exec(lines[at]!)!.groups as { indent: string; offset?: string; text: string }
    if (indent.length < level) break
    const isNextCell = text.startsWith(NEXT_CELL)
    const [children, next] = readLevel(lines, at + 1, isNextCell ? level : indent.length + 1)
    nodes.push({ offset, text, children })
    at = next
  }
  return [nodes, at]
}
