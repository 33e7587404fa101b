import { closeSync, fdatasyncSync, openSync } from 'node:fs'

/** Files that were used lately stay open: the slices that grow, and those that are read. */
const MAX_OPEN = 16

/** File handles by path, the least used closed when there are too many. */
export class OpenFiles {
  private readonly handles = new Map<string, number>()
  private readonly access: 'r' | 'r+'

  constructor(access: 'r' | 'r+' = 'r+') {
    this.access = access
  }

  /** Opens a file that is there. */
  get(path: string): number {
    return this.use(path, this.access)
  }

  /** Begins a file anew, whatever was there. */
  create(path: string): number {
    this.close(path)
    return this.use(path, 'w+')
  }

  sync(path: string): void {
    fdatasyncSync(this.get(path))
  }

  close(path: string): void {
    const handle = this.handles.get(path)
    if (handle === undefined) return
    this.handles.delete(path)
    closeSync(handle)
  }

  closeAll(): void {
    for (const path of [...this.handles.keys()]) this.close(path)
  }

  private use(path: string, flags: string): number {
    const known = this.handles.get(path)
    const handle = known ?? openSync(path, flags)
    // A Map keeps its order of insertion: what was used goes to the end.
    this.handles.delete(path)
    this.handles.set(path, handle)
    if (this.handles.size > MAX_OPEN) this.close(this.handles.keys().next().value!)
    return handle
  }
}
