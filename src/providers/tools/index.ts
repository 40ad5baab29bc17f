export { toTool, type Tool, type ToolContext, type ToolSource } from './tool-source.js';
