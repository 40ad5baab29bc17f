/** Goes to the service that was configured and nowhere else: wherever a redirection leads, the key would go along. */
export const straightFetch: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'error' });
