/**
 * The fields of a /proc/PID/stat after the second one, which is the name in parentheses and may contain anything. The
 * manual counts from 1, so its field n is at n - 3.
 */
export const statFields = (stat: string): string[] => stat.slice(stat.lastIndexOf(')') + 2).split(' ')
