export default function ensureBuild(announce?: () => void, signal?: AbortSignal): Promise<void>;
