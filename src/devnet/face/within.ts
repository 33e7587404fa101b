/** The result of `work`, or the error that `onTimeout` makes where it takes too long. The work itself goes on unheard. */
export const within = async <T>(work: Promise<T>, timeoutMs: number, onTimeout: () => Error): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(onTimeout()), timeoutMs)
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}
