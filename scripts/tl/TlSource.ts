/** The line where it fits the formatter's width, else the same code broken over several. */
export const fit = (line: string, ...broken: string[]): string[] => (line.length <= 120 ? [line] : broken)

/** The text of one generated file: code is appended, and what it uses of other files is gathered into the imports. */
export class TlSource {
  private readonly about: readonly string[]
  private readonly values = new Map<string, Set<string>>()
  private readonly types = new Map<string, Set<string>>()
  private readonly blocks: string[] = []

  constructor(about: readonly string[]) {
    this.about = about
  }

  /** Returns the name, so that a use and its import are written together. */
  use(name: string, from: string): string {
    return this.note(this.values, name, from)
  }

  useType(name: string, from: string): string {
    return this.note(this.types, name, from)
  }

  add(...lines: string[]): void {
    this.blocks.push(lines.join('\n'))
  }

  format(): string {
    const head = this.about.map((line) => `// ${line}`).join('\n')
    const imports = this.formatImports()
    return `${[head, ...(imports === '' ? [] : [imports]), ...this.blocks].join('\n\n')}\n`
  }

  private note(imports: Map<string, Set<string>>, name: string, from: string): string {
    const names = imports.get(from) ?? new Set()
    imports.set(from, names.add(name))
    return name
  }

  private formatImports(): string {
    const paths = [...new Set([...this.values.keys(), ...this.types.keys()])].sort(compareNames)
    return paths.map((path) => this.formatImport(path)).join('\n')
  }

  private formatImport(path: string): string {
    const values = [...(this.values.get(path) ?? [])]
    const types = [...(this.types.get(path) ?? [])].filter((name) => !values.includes(name))
    const keyword = values.length === 0 ? 'import type' : 'import'
    const names = [...values, ...types.map((name) => (values.length === 0 ? name : `type ${name}`))]
    names.sort((a, b) => compareNames(a.replace(/^type /, ''), b.replace(/^type /, '')))
    const long = [`${keyword} {`, ...names.map((name) => `  ${name},`), `} from '${path}'`]
    return fit(`${keyword} { ${names.join(', ')} } from '${path}'`, ...long).join('\n')
  }
}

// The order the formatter wants: letters first, and of the same letter the lower case after the upper.
const compareNames = (a: string, b: string): number => {
  const left = a.toLowerCase()
  const right = b.toLowerCase()
  if (left !== right) return left < right ? -1 : 1
  return a < b ? -1 : 1
}
