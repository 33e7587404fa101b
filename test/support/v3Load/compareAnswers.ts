/** Status, cursor and body of an answer. */
export const askV3 = async (
  url: string,
  request: string,
): Promise<{ readonly status: number; readonly text: string }> => {
  const answer = await fetch(`${url}/api/v3/${request}`)
  const cursor = answer.headers.get('x-next-cursor') ?? ''
  return { status: answer.status, text: `${answer.status} ${cursor} ${await answer.text()}` }
}

const SHOWN = 300

/** The requests that a service answers otherwise than another, byte for byte, with the beginnings of both answers. */
export const compareAnswers = async (
  { expected, tried }: { readonly expected: string; readonly tried: string },
  requests: readonly string[],
): Promise<string[]> => {
  const different: string[] = []
  for (const request of requests) {
    const [one, other] = await Promise.all([askV3(expected, request), askV3(tried, request)])
    if (one.text !== other.text) {
      different.push(`${request}\n  ${one.text.slice(0, SHOWN)}\n  ${other.text.slice(0, SHOWN)}`)
    }
  }
  return different
}
